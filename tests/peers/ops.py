# tests/peers/ops.py - what operators give, compared with PyTorch's.
# SPDX-License-Identifier: Apache-2.0
"""usage: ops.py DIRECTORY_OF_PROGRAMS

Every operator of docs/ops.md is called by peer_ops, on one rank, with the same
random arguments as PyTorch's: all dtypes, 0-d, empty and broadcast tensors that
are permuted, sliced or expanded, with NaN and infinity, negative and wrong
dimensions, and numbers of every kind; also in place and with a tensor for the
result.  Dtypes and shapes must be the same, and values: exactly for what moves,
compares, or is of integers; within TOLERANCE elsewhere.  Where one fails the
other must, too.  EXPLAINED says where they differ by intention; each entry has a
call that shows it, and is a failure if that does not.

DT_TEST_SEED is the seed; DT_PEERS_ROUNDS how often each operator is tried;
DT_PEERS_ONLY is a list of operators that alone are tried."""

import math
import os
import pathlib
import re
import sys
import tempfile
import warnings

from ops_calls import (NAMES, ONLY, OPERATORS, SEED, Writer, has_dtype,
                       run_ours, run_torch, show_case, tensors_of)
from ops_compare import differ
from ops_draw import any_dtype, chance, lay, pick
from ops_families import DRAW, explained, left_out
from ops_named import (INF, NAN, any_case, is_bool, is_empty, is_finite,
                       is_tiny, named, numbers, out_of_range,
                       wrong_out, zeros)
import torch

ROUNDS = int(os.environ.get("DT_PEERS_ROUNDS", "100"))

# Operators that are not tried, and why.
LEFT_OUT = left_out("LEFT_OUT")


# ---- Differences that are meant ----------------------------------------------

PRODUCTS = {"matmul", "mm", "mv", "dot", "bmm", "addmm", "baddbmm", "linear",
            "contract", "einsum"}


def transposed():
    return torch.zeros(2, 3).t()


# Operators (None: all), what the difference begins with, when, a call that
# always shows it, and why.  The first entry that fits counts.
EXPLAINED = explained("EXPLAINED") + [
    (None, "we refuse: .*out", wrong_out,
     named("neg", zeros("f32", 2), form="out", out=zeros("f32", 3)),
     "PyTorch gives out the shape of the result, with a warning"),
    (None, r"PyTorch refuses: \w+: .*(dtype|out type|scalar type|bool tensor "
     "for result)", lambda case: case["form"] == "out",
     named("clone", zeros("i32", 2), form="out", out=zeros("f32", 2)),
     "some operators of PyTorch convert to the dtype of out, others do not: "
     "all of ours do, where the result can be cast"),
    ({"sum", "prod", "mean", "all", "any"},
     "we refuse: .*cannot be stored in out, which is",
     lambda case: case["form"] == "out",
     named("sum", zeros("i64", 1), [], False, None, form="out",
           out=zeros("bool")),
     "PyTorch computes in the dtype of out, whatever that is"),
    (None, "we refuse: .*no dtype can represent both",
     lambda case: has_dtype(case, "c64") and has_dtype(case, "f64", "f16"),
     named("ne", zeros("c64"), zeros("f64")),
     "there are no complex numbers of f64 and f16 here"),
    (None, "PyTorch refuses: .*ComplexHalf",
     lambda case: has_dtype(case, "f16"),
     named("logical_and", zeros("f16", 2), zeros("c64")), "the same"),
    ({"cast"}, ".*values", out_of_range,
     named("cast", numbers("f32", 1e30, NAN, -300.0), torch.uint8),
     "floats saturate and NaN gives 0; in C, and so in PyTorch, what happens "
     "is not defined"),
    ({"sum", "prod"}, ".*values",
     lambda case: case["args"][3] is not None
     and out_of_range({"args": [case["args"][0], case["args"][3]]}),
     named("sum", numbers("f32", INF, 1.0), [], False, torch.int64),
     "the same"),
    (PRODUCTS, "we refuse: .*not supported for dtype bool", is_bool,
     named("mm", zeros("bool", 0, 2), zeros("bool", 2, 2)),
     "PyTorch looks at the dtype only if there is something to multiply, and "
     "einsum multiplies element by element where nothing is summed"),
    (PRODUCTS, "we refuse: .*all tensors must have the same dtype",
     lambda case: is_empty(case)
     or case["name"] in ("contract", "einsum", "linear"),
     named("matmul", zeros("f32", 2, 3, 0), zeros("f16", 2, 0, 2)),
     "PyTorch compares dtypes only if there is something to multiply, and "
     "einsum promotes them where nothing is summed, linear those of integers "
     "and a bias"),
    ({"contract", "einsum"}, "PyTorch refuses: .*expected scalar type",
     lambda case: has_dtype(case, "i8", "i16", "i32", "u8"),
     named("contract", zeros("i16", 2, 1), zeros("i16", 2, 2), "ij,ij->"),
     "PyTorch sums one operand in i64 and cannot multiply it by the other"),
    ({"contract", "einsum"}, "dtype [iu]", any_case,
     named("contract", zeros("i16", 2, 2), None, "ij->"),
     "PyTorch sums one operand in i64, and products of two in their dtype; "
     "here the dtype never changes"),
    ({"cat"}, "we refuse: .*dimension",
     lambda case: all(list(t.shape) == [0] for t in tensors_of(case)),
     named("cat", lambda: [torch.zeros(0)], 1),
     "PyTorch passes over tensors of shape (0,), whatever the dimension"),
    ({"addmm", "baddbmm"}, "we refuse: .*is not an integer",
     lambda case: not case["args"][1].is_floating_point(),
     named("addmm", zeros("i64", 2, 2), zeros("i64", 2, 2), zeros("i64", 2, 2),
           1, 0.5),
     "PyTorch cuts off the fraction of alpha and beta, without a word"),
    ({"addmm", "baddbmm"}, ".*values",
     lambda case: case["args"][4] == 0 and (not is_finite(case)
                                            or has_dtype(case, "bf16", "f16")),
     named("addmm", zeros("bf16", 1, 1),
           lambda: torch.full((1, 1), NAN, dtype=torch.bfloat16),
           zeros("bf16", 1, 1), 1, 0),
     "alpha of 0: PyTorch multiplies NaN by it, or does not, as dtype and size "
     "may be; here baddbmm does, addmm does not"),
    ({"addmm", "baddbmm"}, "we refuse: .*is expanded",
     lambda case: case["form"] == "in_place",
     named("baddbmm", lambda: torch.zeros(2, 3).expand(2, 2, 3),
           zeros("f32", 2, 2, 4), zeros("f32", 2, 4, 3), 1, 1,
           form="in_place"),
     "PyTorch writes to elements that lie in one place, one after another"),
    ({"linear"}, "we refuse: .*bias has shape", any_case,
     named("linear", zeros("f32", 2, 3), zeros("f32", 4, 3), zeros("f32", 1)),
     "PyTorch broadcasts a bias; its manual says that it has as many elements "
     "as there are columns"),
    ({"linear"}, "we refuse: .*expected 2 dimensions", any_case,
     named("linear", zeros("f32", 3), zeros("f32", 3), None),
     "a weight of one dimension gives a vector in PyTorch: dt_mv does that"),
    ({"layer_norm"}, ".*values", lambda case: not is_finite(case),
     named("layer_norm", numbers("f32", INF, INF, INF), [3], None, None, 0.01),
     "the mean of infinity is infinity; PyTorch's running mean gives NaN"),
    ({"layer_norm"}, ".*values.*not nan", lambda case: case["args"][4] == 0,
     named("layer_norm", lambda: torch.full((6,), 0.1, dtype=torch.float64),
           [6], None, None, 0.0),
     "of equal elements, with eps of 0, 0 is divided by 0, or by what rounding "
     "leaves of it"),
    ({"rms_norm"}, "we refuse: .*does not end with", any_case,
     named("rms_norm", zeros("f32", 2), [3], None, 0.01),
     "_fused_rms_norm checks nothing; torch.rms_norm does"),
    ({"add", "sub", "add_scalar", "sub_scalar", "rsub_scalar", "foreach_add"},
     ".*values", lambda case: has_dtype(case, "c64") and (
         not is_finite(case) or any(isinstance(a, float)
                                    and not math.isfinite(a)
                                    for a in case["args"])),
     named("add_scalar", zeros("c64"), INF, 1),
     "PyTorch multiplies infinity by a complex alpha of 1, which gives NaN"),
    ({"add_scalar", "sub_scalar", "rsub_scalar"}, ".*values",
     lambda case: has_dtype(case, "f16") and abs(case["args"][1]) > 65504,
     named("add_scalar", numbers("f16", -INF), 1e10, 1),
     "a number that f16 does not hold is infinity in PyTorch"),
    ({"cat", "stack", "sum", "mean", "prod"}, ".*values",
     lambda case: case["form"] == "out"
     and case["out"].dtype != case.get("computed"),
     named("mean", numbers("f16", 1.0, 0.5, 0.25), [], False, None, form="out",
           out=zeros("f64")),
     "PyTorch computes in the dtype of out, ours is that of the result"),
    ({"all", "any"}, ".*values",
     lambda case: case["form"] == "out" and case["out"].dtype == torch.uint8,
     named("all", numbers("f64", 0.5, 0.5), [], False, form="out",
           out=zeros("u8")),
     "PyTorch converts to u8 first, and 0.5 becomes false"),
    ({"pow_scalar"}, ".*values",
     lambda case: has_dtype(case, "f16") and abs(case["args"][1]) == 0.5,
     named("pow_scalar", numbers("f16", -0.0), -0.5),
     "PyTorch takes a root of all floats but f16, and pow() of that"),
    ({"pow_scalar"}, "PyTorch refuses: .*without overflow", any_case,
     named("pow_scalar", zeros("i8"), 300),
     "an exponent need not fit the dtype of what is raised"),
    ({"powsum"}, ".*values", lambda case: case["args"][1] == 0,
     named("powsum", zeros("f32", 2), 0.0, [], False, None),
     "_powsum counts zeros for p = 0; the norm of PyTorch does not, nor do we"),
    ({"powsum"}, "we refuse: .*not supported for dtype", is_empty,
     named("powsum", zeros("bool", 0, 2), 0.5, [], False, None),
     "PyTorch looks at the dtype only if there are elements"),
    ({"norm", "powsum"}, ".*values",
     lambda case: is_tiny(case) or not is_finite(case),
     named("norm", lambda: torch.tensor(1e-40), 2.0, [], False),
     "of one element PyTorch gives that; the square of 1e-40 is 0, that of "
     "1e30 infinity"),
    ({"dropout"}, "we refuse: .*is expanded",
     lambda case: case["form"] == "in_place",
     named("dropout", lambda: torch.zeros(1).expand(2), 0.0, True, None,
           form="in_place"),
     "if nothing is dropped, PyTorch does not look at what it would write to"),
    ({"dropout"}, "we refuse: .*expected a floating-point dtype",
     lambda case: case["args"][1] in (0.0, 1.0) or is_empty(case),
     named("dropout", zeros("i16", 2), 1.0, True, None),
     "integers with p = 0 or 1, or none; else PyTorch refuses them, too"),
    ({"amax", "amin", "max_dim", "min_dim"}, "we refuse: .*c64",
     lambda case: has_dtype(case, "c64") and is_empty(case),
     named("amin", zeros("c64", 0, 3), [1], True),
     "PyTorch looks at the dtype only if there are elements"),
    ({"softmax", "log_softmax"}, "we refuse: .*pass a floating-point dtype",
     is_empty, named("softmax", zeros("bool", 0, 7), 1, None),
     "PyTorch looks at the dtype only if there are elements"),
    ({"logical_and", "logical_or"}, ".*values",
     lambda case: any(t.dim() == 0 for t in tensors_of(case)),
     named("logical_and", numbers("u8", 1, 1), lambda: torch.tensor(
         -32768, dtype=torch.int16)),
     "PyTorch converts a 0-d tensor to the dtype of the other one: to 0"),
    ({"gather"}, "we refuse: .*the indexes are", is_empty,
     named("gather", zeros("f32", 4), 0, zeros("f64", 0)),
     "PyTorch looks at the dtype of indexes only if there are any"),
    ({"topk"}, "we refuse: topk: k is 0; expected 1 for a 0-d",
     lambda case: case["args"][0].dim() == 0,
     named("topk", zeros("i8"), 0, 0, False, True),
     "PyTorch gives an element where none was asked for"),
    ({"matmul", "linear"}, "PyTorch refuses: .*must match the size of tensor b",
     lambda case: case["form"] == "out" and not case["out"].is_contiguous(),
     named("matmul", zeros("f16", 2, 5, 3), zeros("f16", 3, 8), form="out",
           out=lambda: torch.zeros(2, 11, 8, dtype=torch.float16)[:, 1:6]),
     "PyTorch's matmul fails if out is not dense"),
    ({"where"}, "we refuse: .*condition is u8", any_case,
     named("where", zeros("u8", 2), zeros("f32", 2), zeros("f32", 2)),
     "PyTorch takes u8 for bool, and warns that it will not for long"),
    ({"prod"}, ".*values.*(inf|nan)", any_case,
     named("prod", numbers("f16", 300, 300, 300, 0), [], False, None),
     "products of f16 are kept in f32 until the end; those that overflow are "
     "infinity or NaN by their order"),
    ({"log_sigmoid", "pow_base", "foreach_pow_base", "masked_fill",
      "masked_fill_tensor", "mse_loss_backward", "smooth_l1_loss_backward",
      "huber_loss_backward", "l1_loss_backward", "log_sigmoid_backward",
      "angle"}, "strides", any_case,
     named("log_sigmoid", transposed),
     "PyTorch makes these row-major; here all results that are computed "
     "element by element keep the order of dimensions"),
    ({"rsub", "threshold_backward", "leaky_relu_backward", "kl_div",
      "kl_div_backward", "binary_cross_entropy_backward",
      "binary_cross_entropy_with_logits",
      "binary_cross_entropy_logits_backward"}, "strides", any_case,
     named("rsub", transposed, zeros("f32", 3, 2), 1),
     "where inputs are in different orders, the first one decides; in PyTorch "
     "it is another one"),
]


def explain(case, text):
    for number, (names, begin, when, _, _) in enumerate(EXPLAINED):
        if ((names is None or case["name"] in names)
                and re.match(begin, text, re.DOTALL) and when(case)):
            return number
    return None


# ---- All of it ---------------------------------------------------------------

def draw_form(case):
    """Let the result be written to some tensor, now and then."""
    forms = OPERATORS[case["name"]]["forms"]
    form = pick.choice(forms) if chance(40) else "new"
    if form == "out":
        results = run_torch(case)
        if isinstance(results, Exception) or results[0].dtype not in NAMES:
            return
        case["computed"] = results[0].dtype
        dtype = results[0].dtype if chance(75) else any_dtype()
        shape = [*results[0].shape, 2] if chance(4) else results[0].shape
        case["out"] = lay(torch.zeros(shape, dtype=dtype))
    case["form"] = form


def named_cases():
    """One of each entry of EXPLAINED, which has to show it."""
    cases = [{**entry[3](), "shows": number}
             for number, entry in enumerate(EXPLAINED)]
    return [case for case in cases if not ONLY or case["name"] in ONLY]


def draw_cases():
    cases = named_cases()
    for name in OPERATORS:
        if name not in DRAW or (ONLY and name not in ONLY):
            continue
        for _ in range(ROUNDS):
            case = {"name": name, "form": "new", "args": DRAW[name]()}
            draw_form(case)
            cases.append(case)
    return cases


def compare(cases, theirs, ours):
    """Print what differs; give how much does, and how much is explained."""
    failures, met = 0, 0
    shown = {}
    for number, case in enumerate(cases):
        text = differ(case, ours[number], theirs[number])
        entry = explain(case, text) if text else None
        if case.get("shows", entry) != entry:
            failures += 1
            print(f"ops: {show_case(case)} does not show what is explained: "
                  f"{EXPLAINED[case['shows']][4]}: {text[:300]}")
            continue
        if not text:
            continue
        if entry is not None:
            met += 1
            continue
        failures += 1
        key = (case["name"], text[:14])
        shown[key] = shown.get(key, 0) + 1
        if shown[key] <= int(os.environ.get("DT_PEERS_SHOWN", "2")):
            print(f"ops: {number}: {show_case(case)}: {text[:300]}")
    return failures, met


def check_rows():
    """Every row is tried, or left out for a reason."""
    missing = [name for name in OPERATORS
               if name not in DRAW and name not in LEFT_OUT]
    for name in missing:
        print(f"ops: {name}: neither tried nor left out for a reason")
    for name, reason in LEFT_OUT.items():
        print(f"ops: {name} is left out: {reason}")
    return len(missing)


def main():
    program = pathlib.Path(sys.argv[1]) / "peer_ops"
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.backends.mkldnn.enabled = False  # its gelu of infinity is NaN
    failures = check_rows()
    cases = draw_cases()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        writer = Writer(folder)
        for number, case in enumerate(cases):
            writer.case(number, case)
            case["first"] = next(tensors_of(case), torch.zeros(0)).clone()
        writer.close()
        theirs = []
        for case in cases:
            shape = case["out"].shape if case["form"] == "out" else None
            theirs.append(run_torch(case))
            case["resized"] = shape and shape != case["out"].shape
        ours = run_ours(program, 1, folder)
    differing, met = compare(cases, theirs, ours)
    failures += differing
    refused = sum(isinstance(t, Exception) for t in theirs)
    print(f"ops: {len(cases)} calls of {len({c['name'] for c in cases})} "
          f"operators against PyTorch {torch.__version__}, {refused} refused "
          f"there, {met} differences explained, {failures} not "
          f"(DT_TEST_SEED={SEED})")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
