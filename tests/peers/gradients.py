# tests/peers/gradients.py - gradients of operators, compared with PyTorch's.
# SPDX-License-Identifier: Apache-2.0
"""usage: gradients.py DIRECTORY_OF_PROGRAMS

Calls of every operator that has a gradient, in f32, f64 and c64, with random
arguments (ops_draw.py, family_*.py) and those of PyTorch's own samples
(opinfo.py), also in place.  The results get random gradients, and those of the
inputs must be PyTorch's, on one rank and on 2x2 ranks with inputs and gradients
of random layouts.  There, a gradient must have the layout of its input, with
partial placements replicated.

Values may differ by TOLERANCE units in the last place of the largest gradient,
4 of the gradients of the results, and as many times TOLERANCE as PyTorch's
gradients in f32 differ from those in f64.
gradients_explained.py says where they differ by intention.  DT_TEST_FULL=1 takes
all samples, and fails if an entry there is never met; otherwise DT_PEERS_ROUNDS
calls of each operator are taken.  DT_PEERS_ONLY is a list of operators that
alone are tried; DT_TEST_SEED is the seed."""

import collections
import os
import pathlib
import re
import sys
import tempfile
import warnings

from ops_calls import (ONLY, OPERATORS, SEED, Writer, run_ours, show_case,
                       tensors_of)
from ops_draw import pick
from ops_families import DRAW
from ops_small import draw_placements
import opinfo_explained
import ops
import torch

try:
    from gradients_torch import (DTYPES, NARROW, REFUSALS, WIDE,
                                 GradientRecorder, differentiate, gradients)
    from opinfo import (FULL, MESH, choose, draw_samples, operators,
                        run_in_place, run_sample)
except ImportError as error:
    print(f"gradients: skipped: {error}")
    sys.exit(0)
from gradients_cases import ADAPT
from gradients_explained import EXPLAINED, LAYOUTS_EXPLAINED, LEFT_OUT

ROUNDS = int(os.environ.get("DT_PEERS_ROUNDS", "20" if FULL else "3"))
TRIES = 20  # draws for each case that is wanted
BATCH = 2000
SHOWN = int(os.environ.get("DT_PEERS_SHOWN", "2"))
TOLERANCE = 64
LARGEST = 1e3


# ---- Arguments ---------------------------------------------------------------

def tame(value):
    """A tensor of a dtype that gradients are compared in, without elements that
    are infinite, NaN, huge or tiny."""
    if isinstance(value, list):
        return [tame(one) for one in value]
    if not isinstance(value, torch.Tensor):
        return value
    if value.dtype in (torch.float16, torch.bfloat16):
        value = value.to(torch.float32)
    if not (value.is_floating_point() or value.is_complex()):
        return value
    size = value.abs()
    wild = ~(size < LARGEST) | ((size < 1e-30) & (size > 0))
    other = torch.randn(value.shape, dtype=value.dtype)
    return torch.where(wild, other, value) if wild.any() else value


def is_tame(value):
    return not isinstance(value, (float, complex)) or abs(value) < LARGEST


def separate(args):
    """Arguments of which no tensor appears twice."""
    seen = set()

    def one(value):
        if isinstance(value, list):
            return [one(each) for each in value]
        if isinstance(value, torch.Tensor):
            value = value.clone() if id(value) in seen else value
            seen.add(id(value))
        return value
    return [one(value) for value in args]


def is_tried(name):
    operator = OPERATORS[name]
    return (operator["differentiable"] and not operator["random"]
            and name not in LEFT_OUT and (not ONLY or name in ONLY))


def draw_case(name):
    """A call of an operator, in place now and then."""
    args = DRAW[name]()
    forms = [form for form in OPERATORS[name]["forms"] if form != "out"]
    if not all(map(is_tame, args)):
        return None
    args = [tame(value) for value in args]
    try:
        args = separate(ADAPT.get(name, list)(args))
    except REFUSALS:  # of arguments that are wrong
        return None
    return {"name": name, "args": args, "form": pick.choice(forms)}


def prepare(case):
    """Let PyTorch differentiate; false if it does not."""
    if not any(t.dtype in DTYPES for t in tensors_of(case)):
        return False
    case["first"] = next(tensors_of(case)).clone()
    try:
        return differentiate(case)
    except REFUSALS:
        return False


def draw_cases(name):
    """Some calls; `TRIES` draws for each, as many are of integers."""
    cases = []
    for _ in range(ROUNDS * TRIES):
        if len(cases) == ROUNDS:
            break
        case = draw_case(name)
        if case and prepare(case):
            cases.append(case)
    return cases


def scales_by_frequency(case):
    """Is it an argument that says how gradients are computed, and that rows of
    calls do not have?"""
    return case["name"] == "embedding" and True in (
        list(case["call"][1][2:]) + list(case["call"][2].values()))


def sample_cases(op):
    """Calls of ATen by the samples of an operator."""
    recorder = GradientRecorder()
    dtypes = [d for d in op.dtypes if d in DTYPES]
    for dtype in choose(sorted(dtypes, key=str), 1):
        for sample in draw_samples(op, dtype):
            run_sample(recorder, op.op, sample)
            if FULL or not pick.randrange(2):
                run_in_place(recorder, op, sample)
    cases = [case for case in recorder.cases if is_tried(case["name"])
             and not isinstance(case["theirs"], Exception)
             and not scales_by_frequency(case)]
    return [case for case in cases if prepare(case)]


# ---- Comparison --------------------------------------------------------------

def real(tensor):
    tensor = torch.view_as_real(tensor) if tensor.is_complex() else tensor
    return tensor.to(torch.float64)


class Wide:
    """What PyTorch's gradients of a case are in f64, and how far they are from
    those in f32, in units of its last place; computed if asked for."""

    def __init__(self, case):
        self.case, self.found = case, None

    def of(self, place):
        if self.found is None:
            try:
                self.found = [gradients(self.case, dtypes)
                              for dtypes in (WIDE, NARROW)]
            except REFUSALS:
                self.found = []
        pair = [of[place] for of in self.found]
        if not pair or any(one is None for one in pair):
            return None, 0
        exact, rounded = map(real, pair)
        apart = (rounded - exact).abs() / torch.finfo(torch.float32).eps
        return exact, apart.nan_to_num(0, 0, 0)


def epsilon(case):
    """That of the coarsest dtype that gradients pass through."""
    through = case["leaves"] + [g for g in case["grads"] if g is not None]
    return max(torch.finfo(tensor.dtype).eps for tensor in through)


def values_differ(ours, theirs, wide, place):
    """Where they do, as a text."""
    eps = epsilon(wide.case)
    a, b = real(ours), real(theirs)
    size = b.abs().nan_to_num(0, 0, 0)
    seeds = [g.abs().max() for g in wide.case["grads"]
             if g is not None and g.numel()]
    bound = eps * (TOLERANCE * (size.max() if size.numel() else 0)
                   + 4 * max(seeds, default=0))
    good = (a == b) | (a.isnan() & b.isnan()) | ((a - b).abs() <= bound)
    if not good.all():
        exact, apart = wide.of(place)
        good |= (a - b).abs() <= bound + TOLERANCE * eps * apart
        if exact is not None:
            good |= (a - exact).abs() <= (b - exact).abs()
    if good.all():
        return ""
    bad = tuple((~good).nonzero()[0].tolist())
    return (f"{int((~good).sum())} of {good.numel()} values, at {list(bad)}: "
            f"{a[bad].item()!r}, not {b[bad].item()!r}")


def gradient_differs(ours, theirs, leaf, wide, place):
    """What is wrong with the gradient of one leaf; none counts as zeros."""
    if ours is None and theirs is None:
        return ""
    if ours is None:
        return "" if not theirs.any() else "values, none"
    if theirs is None:
        return "" if not ours.any() else "values, PyTorch has none"
    if ours.dtype != leaf.dtype:
        return f"dtype {ours.dtype}, not {leaf.dtype}"
    if ours.shape != leaf.shape:
        return f"shape {list(ours.shape)}, not {list(leaf.shape)}"
    return values_differ(ours, theirs, wide, place)


def differ(case, ours):
    """What differs, as a text."""
    if "died" in ours:
        return f"we die: {ours['died']}"
    if "error" in ours:
        return f"we refuse: {ours['error']}"
    wide = Wide(case)
    for place, leaf in enumerate(case["leaves"]):
        text = gradient_differs(ours["results"][place], case["theirs"][place],
                                leaf, wide, place)
        if text:
            return f"gradient {place}: {text}"
    return ""


def reduced(layout):
    return re.sub(r"P\(\w+\)", "R", layout)


def layouts_differ(case, ours):
    """Gradients have the layouts of leaves, with partial ones replicated."""
    given = dict(zip(map(id, tensors_of(case)), case["layouts"]))
    had = [g for g in ours["results"] if g is not None]
    leaves = [leaf for leaf, g in zip(case["leaves"], ours["results"])
              if g is not None]
    for leaf, layout in zip(leaves, ours["layouts"], strict=True):
        wanted = reduced(given[id(leaf)])
        if re.sub(r"\[\d\]", "", layout) != wanted:
            return f"layout {layout}, not {wanted}"
    return "" if len(had) == len(leaves) else "too few gradients"


# ---- Layouts -----------------------------------------------------------------

def is_finite(tensors):
    return all(t is None or bool(t.isfinite().all()) for t in tensors)


def lay_out(case, ours):
    """The case with inputs and gradients on 2x2 ranks.  A partial sum of an
    infinite value is NaN in the ranks' own arithmetic: only finite ones are
    partial; nor is what is overwritten, which keeps its layout."""
    tensors = list(tensors_of(case))
    tensors += [g for g in case["grads"] if g is not None]
    partial = case["form"] == "new" and is_finite(
        tensors + ours["results"] + case["theirs"])
    layouts = ["".join(p if partial or p[0] != "P" else "R"
                       for p in draw_placements(MESH, tensor))
               for tensor in tensors]
    return {**case, "layouts": layouts, "mesh": "a=2,b=2"}


# ---- All of it ---------------------------------------------------------------

def is_refused(case, text):
    """Do the tables of calls explain why a call fails?"""
    return ops.explain(case, text) is not None or any(
        (names is None or case["name"] in names)
        and re.match(begin, text, re.DOTALL) and when(case)
        for names, begin, when, _ in opinfo_explained.EXPLAINED)


class Examination:
    """Counts, and which entries were met."""

    def __init__(self, program):
        self.program = program
        self.totals = collections.Counter()
        self.names, self.met, self.shown = set(), set(), collections.Counter()

    def explain(self, case, text, table):
        for names, begin, when, reason, *_ in table:
            if ((names is None or case["name"] in names) and re.match(
                    begin, text, re.DOTALL) and when(case)):
                self.met.add(reason)
                return True
        return text.startswith("we refuse") and is_refused(case, text)

    def judge(self, case, text, table, where):
        if not text:
            return
        if self.explain(case, text, table):
            self.totals["explained"] += 1
            return
        self.totals["failures"] += 1
        key = case["name"], text[:14], where
        self.shown[key] += 1
        if self.shown[key] <= SHOWN:
            leaves = {id(leaf) for leaf in case["leaves"]}
            places = [n for n, t in enumerate(tensors_of(case))
                      if id(t) in leaves]
            print(f"gradients: {where}: {show_case(case)}"
                  f"{' of ' + ', '.join(case['layouts']) if where else ''} by "
                  f"{places}: {text[:300]}", flush=True)

    def run(self, cases, ranks):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            writer = Writer(folder)
            for number, case in enumerate(cases):
                writer.case(number, case)
            writer.close()
            return run_ours(self.program, ranks, folder)

    def examine(self, cases):
        """Compare a batch with PyTorch, on one rank and on 2x2."""
        if not cases:
            return
        ours = self.run(cases, 1)
        self.totals["calls"] += len(cases)
        self.names |= {case["name"] for case in cases}
        for number, case in enumerate(cases):
            self.totals["in place"] += case["form"] == "in_place"
            self.judge(case, differ(case, ours[number]), EXPLAINED, "")
        spread = [lay_out(case, ours[number])
                  for number, case in enumerate(cases)
                  if "results" in ours[number]
                  and not differ(case, ours[number])]
        found = self.run(spread, 4)
        self.totals["spread"] += len(spread)
        for number, case in enumerate(spread):
            text = differ(case, found[number])
            if not text:
                text = layouts_differ(case, found[number])
            self.judge(case, text, LAYOUTS_EXPLAINED, "2x2")


def check_rows(done):
    """Every row with a gradient was tried, or is left out for a reason."""
    for name, reason in LEFT_OUT.items():
        print(f"gradients: {name} is left out: {reason}")
    for name, operator in OPERATORS.items():
        if operator["random"] and operator["differentiable"] and not ONLY:
            print(f"gradients: {name} is left out: it is random")
        if is_tried(name) and name not in done.names:
            print(f"gradients: {name}: neither tried nor left out for a reason")
            done.totals["failures"] += 1


def check_entries(done):
    if not FULL or ONLY:
        return
    for entry in EXPLAINED + LAYOUTS_EXPLAINED:
        if entry[3] not in done.met:
            print(f"gradients: explained, but never met: {entry[3]}")
            done.totals["failures"] += 1


def named_cases():
    """Those that always show what is explained."""
    for entry in EXPLAINED + LAYOUTS_EXPLAINED:
        for make in entry[4:]:
            case = make()
            if is_tried(case["name"]) and prepare(case):
                yield case


def all_cases():
    yield from named_cases()
    for name in OPERATORS:
        if name in DRAW and is_tried(name):
            yield from draw_cases(name)
    for op in operators():
        with torch.backends.mkldnn.flags(enabled=False):
            yield from sample_cases(op)


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    done = Examination(pathlib.Path(sys.argv[1]) / "peer_ops")
    batch = []
    for case in all_cases():
        batch.append(case)
        if len(batch) == BATCH:
            done.examine(batch)
            batch = []
    done.examine(batch)
    check_rows(done)
    check_entries(done)
    totals = done.totals
    print(f"gradients: {totals['calls']} calls of {len(done.names)} operators "
          f"against PyTorch {torch.__version__}, {totals['in place']} in place, "
          f"{totals['spread']} on 2x2 ranks, {totals['explained']} differences "
          f"explained, {totals['failures']} not (DT_TEST_SEED={SEED})")
    sys.exit(totals["failures"] != 0)


if __name__ == "__main__":
    main()
