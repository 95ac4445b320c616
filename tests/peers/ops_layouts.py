# tests/peers/ops_layouts.py - where results lie, compared with PyTorch's.
# SPDX-License-Identifier: Apache-2.0
"""usage: ops_layouts.py DIRECTORY_OF_PROGRAMS

Operators are called with inputs of random layouts by DTensor of PyTorch, on
gloo, and by peer_ops, on meshes of 2 and 2x2 ranks.  Compared are the layouts
of the results and how many collectives there were; EXPLAINED says where these
differ, and why.  A call of an entry that does not show it is a failure.  So is a
value that is not the one of PyTorch on one rank."""

import collections
import json
import logging
import os
import pathlib
import re
import sys
import tempfile
import warnings

import ops_calls as ops
from ops_compare import differ
from ops_draw import BINARY, WITH_NUMBER, pick
from ops_families import calls, explained, left_out, placed
from ops_small import (along, any_case, different, draw_join, draw_view,
                       everywhere, has_partial, indexes, is_uneven, make_case,
                       matrix, matrix_of, named, norm_call, product,
                       reduce_call, rows, several, small, two, unary)
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import (DTensor, Partial, Replicate, Shard,
                                      distribute_tensor)
from torch.distributed.tensor.debug import CommDebugMode
from torch_ranks import run_ranks

ROUNDS = int(os.environ.get("DT_PEERS_ROUNDS", "6"))  # of each call and mesh
MESHES = {2: [(2,)], 4: [(2, 2)]}

# Operators that are not compared, and why.
LEFT_OUT = left_out("LAYOUTS_LEFT_OUT") | {
    "contract": "PyTorch has none; einsum is compared",
    "amax_abs": "PyTorch has none; norm is compared",
    "amin_abs": "PyTorch has none; norm is compared",
    "equal": "its result is no tensor there",
}


# ---- Calls -------------------------------------------------------------------

CALLS = calls() | {
    **{name: unary() for name in
       ["clone", "logical_not", "neg", "abs", "exp", "square", "tanh",
        "sigmoid", "silu", "relu", "t"]},
    **{name: unary(1) for name in ["reciprocal", "log", "sqrt", "rsqrt"]},
    **{name: two for name in BINARY},
    **{name: lambda: [matrix(), pick.choice([2, 0.5])]
       for name in WITH_NUMBER},
    **{name: (lambda kind: lambda: product(kind))(name) for name in
       ["mm", "mv", "dot", "bmm", "linear", "matmul"]},
    **{name: (lambda kind: lambda: product(kind) + [1, 1])(name)
       for name in ["addmm", "baddbmm"]},
    "pow_scalar": lambda: [matrix(), 2],
    "div": lambda: [matrix(), small(1, low=1)[0] * 0 + 2]
    if pick.randrange(2) else [two()[0]] * 2,
    "add": lambda: two() + [1], "sub": lambda: two() + [1],
    "add_scalar": lambda: [matrix(), 2, 1],
    "sub_scalar": lambda: [matrix(), 2, 1],
    "gelu": lambda: [matrix(), "none"],
    "where": lambda: (lambda a: [a > 0, a, a.roll(1)])(matrix()),
    "max_dim": everywhere(False), "min_dim": everywhere(True),
    "argmax": everywhere(False), "argmin": everywhere(True),
    "argmax_all": lambda: [different(8, 4)],
    "argmin_all": lambda: [different(8, 4)],
    "cast": lambda: [matrix(), pick.choice([torch.float64, torch.int64,
                                            torch.bool])],
    "einsum": lambda: [*pick.choice([["ij,jk->ik", product("mm")],
                                     ["bij,bjk->bik", product("bmm")]])],
    "embedding": lambda: [small(8, 4), indexes(8, 6, 4), -1],
    "foreach_add": lambda: (lambda a: [[a], [a.roll(1)], 1])(matrix()),
    "foreach_mul_scalar": lambda: [[matrix()], 2],
    "gather": lambda: (lambda d: [small(8, 4), d, indexes(4, 8, 4)])(
        pick.choice([0, 1])),
    "index_select": lambda: [small(8, 4), pick.choice([0, 1]), indexes(4, 6)],
    "cat": lambda: draw_join(2), "stack": lambda: draw_join(3),
    "split": lambda: [small(8, 4), 2, pick.choice([0, 1])],
    "split_sizes": lambda: [small(8, 4), [1, 3], 1],
    "chunk": lambda: [small(8, 4), 2, pick.choice([0, 1])],
    "unbind": lambda: [small(8, 4), pick.choice([0, 1])],
    "layer_norm": lambda: [matrix_of(6), [6], small(6), small(6), 1e-5],
    "rms_norm": lambda: [matrix_of(6), [6], small(6), 1e-5],
    "dropout": lambda: [matrix(), 0.5, True, None],
    "sum": reduce_call(None), "mean": reduce_call(None),
    "prod": lambda: [small(rows(), 4), pick.choice([[], [0], [1]]), False,
                     None],
    "amax": reduce_call(), "amin": reduce_call(), "all": reduce_call(),
    "any": reduce_call(), "powsum": lambda: [
        matrix(), pick.choice([2.0, 1.0]), pick.choice([[], [0]]), False, None],
    "norm": norm_call(),
    "slice": lambda: [small(8, 4), pick.choice([0, 1]), 1, 4,
                      pick.choice([1, 2])],
    "narrow": lambda: [small(8, 4), pick.choice([0, 1]), 1, 2],
    "select": lambda: [small(8, 4), pick.choice([0, 1]), 1],
    "softmax": along(None), "log_softmax": along(None),
    "topk": lambda: [different(8, 4), 2, pick.choice([0, 1]), True, True],
    "view": draw_view, "reshape": draw_view,
    "flatten": lambda: [small(8, 4, 6),
                        *pick.choice([[0, 1], [1, 2], [0, -1]])],
    "unflatten": lambda: [small(8, 6),
                          *pick.choice([[0, [4, 2]], [1, [2, 3]]])],
    "squeeze": lambda: pick.choice([[small(8, 1, 4), [1]], [small(8, 1, 4), []],
                                    [small(1, 8), [0]]]),
    "unsqueeze": lambda: [matrix(), pick.choice([0, 1, 2])],
    "permute": lambda: [small(8, 4, 6), pick.choice([[2, 0, 1], [1, 0, 2]])],
    "transpose": lambda: [matrix(), 0, 1],
    "expand": lambda: pick.choice([[small(8, 1), [8, 4]],
                                   [small(8, 4), [2, 8, 4]]]),
}

PLACED = placed()


# ---- PyTorch's side ----------------------------------------------------------

def to_torch(text):
    if text == "R":
        return Replicate()
    return Shard(int(text[2:-1])) if text[0] == "S" else Partial(text[2:-1])


def spread(case, mesh):
    """The arguments with DTensors in place of tensors."""
    layouts = iter(case["placements"])

    def one(value):
        if isinstance(value, torch.Tensor):
            return distribute_tensor(value, mesh, [
                to_torch(p) for p in next(layouts)], src_data_rank=None)
        return [one(v) for v in value] if isinstance(
            value, list) and value and isinstance(
                value[0], torch.Tensor) else value
    return [one(value) for value in case["args"]]


def layout_text(result):
    """As we write it."""
    if not isinstance(result, DTensor):
        return "local"
    text = ""
    for placement in result.placements:
        kind = type(placement).__name__
        if kind == "_MaskPartial" or kind == "MaskPartial":
            text += "MaskP(sum)"
        elif kind == "_NormPartial":
            text += f"norm({placement.norm_type})"
        else:
            text += str(placement).replace(", ", ",")
    return text


def named_dims(case, arguments):
    """DTensor takes an empty list for no dimension where it means all."""
    if case["name"] not in ("sum", "mean", "amax", "amin"):
        return arguments
    return [arguments[0], arguments[1] or list(range(arguments[0].dim())),
            *arguments[2:]]


def run_case(case, mesh):
    arguments = named_dims(case, spread(case, mesh))
    counter = CommDebugMode()
    try:
        with counter:
            results = ops.call_torch({**case, "args": arguments})
    except Exception as error:  # pylint: disable=broad-except
        return {"refused": f"{type(error).__name__}: {error}"}
    return {"layouts": [layout_text(r) for r in results],
            "calls": sum(counter.get_comm_counts().values())}


def run_rank(rank, size, cases, folder):
    torch.set_num_threads(1)
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    dist.init_process_group("gloo", rank=rank, world_size=size,
                            init_method=f"file://{folder}/store{size}")
    meshes = {shape: init_device_mesh("cpu", shape,
                                      mesh_dim_names=tuple("ab"[:len(shape)]))
              for shape in MESHES[size]}
    found = [run_case(case, meshes[case["shape"]]) for case in cases]
    if rank == 0:
        (folder / "torch").write_text(json.dumps(found))
    dist.barrier()
    dist.destroy_process_group()


def run_torch(size, cases, folder):
    run_ranks("ops_layouts", size,
              lambda rank: run_rank(rank, size, cases, folder))
    return json.loads((folder / "torch").read_text())


# ---- Differences that are meant ----------------------------------------------

FINDS = {"argmax", "argmin", "argmax_all", "argmin_all", "max_dim", "min_dim"}
# Operators (None: all), what the difference begins with, when, a call that
# always shows it, and why.  The first entry that fits counts.
EXPLAINED = explained("LAYOUTS_EXPLAINED") + [
    ({"mean"}, r"other: .*P\(sum\).*, not .*P\(avg\)", any_case,
     named("mean", lambda: [small(8, 4), [1], False, None], "S(1)"),
     "a mean divides by the extent of the whole, so that parts add up"),
    ({"any"}, r"other: .*P\(bor\).*, not .*P\(sum\)", any_case,
     named("any", lambda: [small(8, 4), [0], False], "S(0)"),
     "truth values are combined by or"),
    ({"any"}, "more: .*, not .* by 0", has_partial,
     named("any", lambda: [small(8, 4), [0], False], "P(sum)"),
     "PyTorch takes addends that are not 0 for a sum that is not"),
    ({"powsum"}, "more: .*, not .* by 0", has_partial,
     named("powsum", lambda: [small(8, 4), 1.0, [0], False, None], "P(sum)"),
     "PyTorch adds up absolute values of addends"),
    ({"norm"}, "(more|other): .*, not .*norm", any_case,
     named("norm", lambda: [small(8, 4), 2.0, [], False], "S(0)"),
     "a norm over shards is one all-reduce, and no kind of partial value"),
    ({"norm"}, r"more: .*, not .*P\((max|min)\).* by 0", has_partial,
     named("norm", lambda: [small(8, 4), float("inf"), [0], False], "P(max)"),
     "PyTorch takes absolute values of what is not the value yet"),
    ({"norm"}, "more: .*reduce-scatter:., not .* by 1", has_partial,
     named("norm", lambda: [small(255, 65), 3.0, [], False], "P(avg) R"),
     "values are reduced to where they are powered, and what is left again"),
    (FINDS, "other: .*all-gather", any_case,
     named("max_dim", lambda: [different(8, 4), 1, False], "S(1) R"),
     "a value and an index are exchanged, not all that is looked at"),
    ({"cast"}, "more: .*, not .*P.* by 0", has_partial,
     named("cast", lambda: [small(8, 4), torch.int64], "P(max)"),
     "NaN is the largest of floats and becomes 0: parts are not converted"),
    ({"view"}, "we refuse: .*must have layout", any_case,
     named("view", lambda: [small(8, 6), [6, 8]], "S(1)"),
     "a view never sends anything: reshape does"),
    ({"rms_norm", "layer_norm"}, "(more|other): .*", any_case,
     named("rms_norm", lambda: [small(8, 6), [6], small(6), 1e-5], "S(0)",
           "P(sum)"),
     "in one step, a weight is whole; PyTorch's steps multiply by it at last"),
    ({"addr"}, r"more: .*, not .*P\(sum\).* by 0", has_partial,
     named("addr", lambda: [small(8, 4), small(8), small(4), 1, 1], "P(sum)",
           "R", "R"),
     "a factor that is made partial would turn infinite products into NaN"),
    ({"maximum", "minimum", "foreach_maximum", "foreach_minimum"},
     r"more: .*P\(m.*, not .*P\(m.* by 0", has_partial,
     named("maximum", lambda: [small(8, 4), small(8, 4)], "P(max)", "P(max)"),
     "one argument at a time may be partial"),
    ({"gather", "index_select", "embedding"}, "other: .*MaskP", any_case,
     named("index_select", lambda: [small(8, 4), 0, indexes(8, 6)], "S(0)",
           "S(0)"),
     "what another rank has is masked, and not asked for"),
    (None, "more: .*by all-to-all:2, not .* by 1", several,
     named("where", lambda: [small(5, 4) > 0, small(5, 4), small(5, 4)],
           "R S(0)", "S(0) R", "R S(0)"),
     "two all-to-alls send less than an all-gather"),
    (None, "fewer: ", any_case,
     named("argmax_all", lambda: [different(8, 4)], "S(0)"),
     "fewer calls"),
    (None, "other: .*by (.*,)?reduce-scatter:.*, not [^R]*$", is_uneven,
     named("sqrt", lambda: [small(6, 4, low=1)], "S(0) P(sum)"),
     "what is left of a dimension does not divide; another one does"),
    (None, r"other: .*S\(.*by reduce-scatter:1, not P\(sum\)P\(sum\) by 1",
     has_partial,
     named("count_nonzero", lambda: [small(4, 8), [0]], "S(0) P(sum)"),
     "a value is scattered along a dimension that the result has, and is cut "
     "there, not partial"),
    (None, "other: .*by (.*,)?reduce-scatter:.*, not .*R", any_case,
     named("abs", lambda: [small(8, 4)], "P(sum)"),
     "a reduce-scatter sends half of what an all-reduce does"),
    (None, "other: .*all-to-all:", any_case,
     named("sort", lambda: [different(8, 4), 1, False, True], "S(1)"),
     "an all-to-all sends a part of what an all-gather does"),
    (None, "other: .*", several,
     named("le", lambda: [small(6, 6), small(6, 6)], "S(0) R", "S(0) P(sum)"),
     "several inputs, as many calls: what is estimated to cost as little "
     "changes fewer inputs"),
]


def explain(case, text):
    for number, (names, begin, when, _, _) in enumerate(EXPLAINED):
        if ((names is None or case["name"] in names) and re.match(begin, text)
                and when(case, text)):
            return number
    return None


# ---- All of it ---------------------------------------------------------------

def count_calls(text):
    return 0 if text == "-" else sum(int(word.split(":")[1])
                                     for word in text.split(","))


def plain(layout):
    """A layout without the order of cuts, where that is from left to right."""
    dims = {}
    for dim, order in re.findall(r"S\((\d+)\)\[(\d+)\]", layout):
        dims.setdefault(dim, []).append(int(order))
    if all(orders == sorted(orders) for orders in dims.values()):
        return re.sub(r"\[\d+\]", "", layout)
    return layout


def show_case(case):
    return f"{ops.show_case(case)} of {', '.join(case['layouts'])}"


def values_text(case, had):
    """What is wrong with our values, if anything is."""
    theirs = ops.run_torch(case)
    return differ(case, had, theirs)


def compare(case, had, their):
    """What differs, as a text that begins with its kind."""
    if "refused" in their:
        return ""
    mine = count_calls(had["calls"])
    ours = " ".join(map(plain, had["layouts"]))
    theirs = " ".join(their["layouts"])
    if ours == theirs and mine == their["calls"]:
        return ""
    kind = ("fewer" if mine < their["calls"] else
            "more" if mine > their["calls"] else "other")
    return f"{kind}: {ours} by {had['calls']}, not {theirs} by {their['calls']}"


def draw_cases(meshes):
    names = [name for name in CALLS if name in ops.OPERATORS
             and (not ops.ONLY or name in ops.ONLY)]
    cases = [{**entry[3](), "shows": number}
             for number, entry in enumerate(EXPLAINED)]
    cases = [case for case in cases if case["shape"] in meshes
             and (not ops.ONLY or case["name"] in ops.ONLY)]
    return cases + [make_case(name, mesh, CALLS[name](),
                              place=PLACED.get(name)) for mesh in meshes
                    for name in names for _ in range(ROUNDS)]


def run_both(program, size, cases):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        writer = ops.Writer(folder)
        for number, case in enumerate(cases):
            writer.case(number, case)
        writer.close()
        theirs = run_torch(size, cases, folder)
        return ops.run_ours(program, size, folder), theirs


def judge(case, had, their, totals, met, refusals):
    """Count one case; print it if it is wrong."""
    totals["cases"] += 1
    text = values_text(case, had)
    if case.get("shows") is not None:
        text = text or compare(case, had, their)
        if not text or explain(case, text) != case["shows"]:
            totals["failed"] += 1
            print(f"ops_layouts: {show_case(case)} does not show what is "
                  f"explained: {EXPLAINED[case['shows']][4]}: {text[:400]}")
            return
    if not text and "refused" in their:
        totals["refused"] += 1
        why = re.sub(r"[\d\s]+", " ", their["refused"])[:90]
        refusals.setdefault((case["name"], why), show_case(case))
        return
    text = text or compare(case, had, their)
    if not text:
        totals["same"] += 1
        return
    entry = explain(case, text)
    if entry is None:
        totals["failed"] += 1
        print(f"ops_layouts: {show_case(case)}: {text[:400]}")
    else:
        totals["explained"] += 1
        met[entry] += 1


def check_rows():
    missing = [name for name in ops.OPERATORS
               if name not in CALLS and name not in LEFT_OUT]
    for name in missing:
        print(f"ops_layouts: {name}: neither tried nor left out for a reason")
    for name, reason in LEFT_OUT.items():
        print(f"ops_layouts: {name} is left out: {reason}")
    return len(missing)


def main():
    program = pathlib.Path(sys.argv[1]) / "peer_ops"
    totals, met, refusals = collections.Counter(), collections.Counter(), {}
    totals["failed"] = check_rows()
    for size, meshes in MESHES.items():
        cases = draw_cases(meshes)
        ours, theirs = run_both(program, size, cases)
        for number, case in enumerate(cases):
            judge(case, ours[number], theirs[number], totals, met, refusals)
    for (name, why), shown in sorted(refusals.items()):
        print(f"ops_layouts: PyTorch refuses, e.g. {shown}: {why}")
    for number, (names, _, _, _, reason) in enumerate(EXPLAINED):
        print(f"ops_layouts: {met[number]} times: {names or 'all'}: {reason}")
    print(f"ops_layouts: {totals['cases']} calls against PyTorch "
          f"{torch.__version__}, {totals['same']} alike, {totals['explained']} "
          f"differ and are explained, {totals['refused']} refused there, "
          f"{totals['failed']} failed (DT_TEST_SEED={ops.SEED})")
    sys.exit(totals["failed"] != 0)


if __name__ == "__main__":
    main()
