# tests/peers/opinfo.py - PyTorch's own samples of operators, on one rank and on
# 2x2.
# SPDX-License-Identifier: Apache-2.0
"""usage: opinfo.py DIRECTORY_OF_PROGRAMS

OpInfo is PyTorch's table of operators with sample inputs, which its own tests
use.  Samples are run there; each call of ATen for which there is a row here
(opinfo_capture.py) is made by peer_ops, too: on one rank, where dtypes, shapes,
values and errors must be PyTorch's, and on 2x2 ranks with inputs of random
layouts, where the results must be those of one rank.  Besides samples there are
inputs that PyTorch refuses, calls in place, and gradients.

opinfo_explained.py says where results differ by intention.  DT_TEST_FULL=1 takes
all samples of all dtypes, and fails if an entry there is never met; otherwise
DT_PEERS_ROUNDS samples of one dtype of each operator, chosen by DT_TEST_SEED.
DT_PEERS_ONLY is a list of our operators that alone are tried."""

import itertools
import os
import pathlib
import re
import sys
import tempfile
import warnings

from ops_calls import (NAMES, ONLY, OPERATORS, SEED, Writer, run_ours,
                       show_case, tensors_of)
from ops_compare import differ
from ops_draw import pick
from ops_small import draw_placements
import ops
import torch

try:
    from opinfo_capture import CaptureBackward, Recorder, capture
    from torch.testing._internal import common_methods_invocations as samples
except ImportError as error:
    print(f"opinfo: skipped: {error}")
    sys.exit(0)
from opinfo_explained import EXPLAINED, LAYOUTS_EXPLAINED

FULL = os.environ.get("DT_TEST_FULL", "0") not in ("", "0")
ROUNDS = int(os.environ.get("DT_PEERS_ROUNDS", "2"))
BATCH = 2000  # cases that one run of peer_ops makes
SHOWN = int(os.environ.get("DT_PEERS_SHOWN", "2"))
MESH = (2, 2)
UNSET = {"new_empty"}  # operators whose results have no values
# ATen has a form of it that returns the first result alone.
ONE_RESULT = {"nll_loss"}
# Operators whose last result is an index for each element of the others.
PICKS = {"sort", "argsort", "kthvalue", "mode", "median_dim", "nanmedian_dim",
         "cummax", "cummin"}


# ---- Samples -----------------------------------------------------------------

def operators():
    tables = ["op_db", "foreach_unary_op_db", "foreach_binary_op_db",
              "foreach_pointwise_op_db", "foreach_reduce_op_db",
              "foreach_other_op_db"]
    return [op for table in tables for op in getattr(samples, table)]


def choose(values, count):
    """Some of a sequence, all if everything is tried."""
    if FULL:
        return list(values)
    values = list(itertools.islice(values, 60))
    return pick.sample(values, min(count, len(values)))


def draw_samples(op, dtype, **options):
    """Samples for an operator; elementwise ones have more as references."""
    try:
        drawn = op.reference_inputs if pick.randrange(2) or FULL else (
            op.sample_inputs)
        return choose(drawn("cpu", dtype, **options), ROUNDS)
    except Exception:  # pylint: disable=broad-except
        return []  # of some operators for other devices alone


def run_sample(recorder, function, sample):
    capture(recorder, function, sample.input, *sample.args, **sample.kwargs)


def run_in_place(recorder, op, sample):
    """The form that overwrites, if there is one, of a copy."""
    variant = getattr(op, "inplace_variant", None)
    if variant is None:
        return
    copied = ([one.clone() for one in sample.input]
              if isinstance(sample.input, (list, tuple))
              else sample.input.clone()
              if isinstance(sample.input, torch.Tensor) else None)
    if copied is not None:
        capture(recorder, variant, copied, *sample.args, **sample.kwargs)


def run_backward(recorder, op, sample):
    """Let autograd call the gradients of an operator."""
    leaves = [t for t in [sample.input, *sample.args, *sample.kwargs.values()]
              if isinstance(t, torch.Tensor) and t.requires_grad]
    try:
        with torch.enable_grad():
            value = op.op(sample.input, *sample.args, **sample.kwargs)
            values = value if isinstance(value, (tuple, list)) else [value]
            values = [v for v in values if isinstance(v, torch.Tensor)
                      and v.requires_grad]
            with CaptureBackward(recorder):
                torch.autograd.grad(values, leaves,
                                    [torch.randn_like(v) for v in values],
                                    allow_unused=True)
    except Exception:  # pylint: disable=broad-except
        return  # has no gradient for these


def run_errors(recorder, op):
    """Inputs that PyTorch refuses."""
    try:
        wrong = choose(op.error_inputs("cpu"), ROUNDS)
    except Exception:  # pylint: disable=broad-except
        return
    for one in wrong:
        run_sample(recorder, op.op, one.sample_input)


def run_operator(recorder, op):
    """Samples, gradients and errors of an operator; one that calls nothing of
    which there are rows here is left."""
    before = len(recorder.cases)
    dtypes = [d for d in op.dtypes if d in NAMES]
    for dtype in choose(sorted(dtypes, key=str), 1):
        for sample in draw_samples(op, dtype):
            run_sample(recorder, op.op, sample)
            if FULL or not pick.randrange(2):
                run_in_place(recorder, op, sample)
        if len(recorder.cases) == before:
            return
        if getattr(op, "supports_autograd", False) and (
                dtype.is_floating_point):
            for sample in draw_samples(op, dtype, requires_grad=True):
                run_backward(recorder, op, sample)
    run_errors(recorder, op)


# ---- Comparison --------------------------------------------------------------

class Examination:
    """Counts, and which entries of both lists were met."""

    def __init__(self, program):
        self.program = program
        self.calls, self.spread, self.refused = 0, 0, 0
        self.explained, self.failures = 0, 0
        self.names, self.met, self.shown = set(), set(), {}

    def explain(self, case, text, table):
        for names, begin, when, reason in table:
            if ((names is None or case["name"] in names) and re.match(
                    begin, text, re.DOTALL) and when(case)):
                self.met.add(reason)
                return True
        return table is EXPLAINED and ops.explain(case, text) is not None

    def judge(self, case, text, table, where):
        if not text:
            return
        if self.explain(case, text, table):
            self.explained += 1
            return
        self.failures += 1
        key = case["name"], text[:14], where
        self.shown[key] = self.shown.get(key, 0) + 1
        if self.shown[key] <= SHOWN:
            print(f"opinfo: {where}: {show_case(case)}"
                  f"{' of ' + ', '.join(case['layouts']) if where else ''}: "
                  f"{text[:300]}", flush=True)

    def run(self, cases, ranks):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            writer = Writer(folder)
            for number, case in enumerate(cases):
                writer.case(number, case)
            writer.close()
            return run_ours(self.program, ranks, folder)

    def examine(self, cases):
        """Compare a batch with PyTorch, and 2x2 ranks with one."""
        ours = self.run(cases, 1)
        self.calls += len(cases)
        self.refused += sum(isinstance(c["theirs"], Exception) for c in cases)
        self.names |= {c["name"] for c in cases}
        for number, case in enumerate(cases):
            text = compare(case, ours[number], case["theirs"])
            self.judge(case, text, EXPLAINED, "")
        spread = [lay_out(case, ours[number]) for number, case
                  in enumerate(cases) if may_be_spread(case, ours[number])]
        found = self.run(spread, 4)
        self.spread += len(spread)
        for number, case in enumerate(spread):
            # One rank's elements were read in row-major order; order.py
            # compares strides on several ranks.
            text = compare(case, {**found[number], "strides": []},
                           case["alone"])
            self.judge(case, text, LAYOUTS_EXPLAINED, "2x2")


def compare(case, ours, theirs):
    """What differs, as a text; `theirs` are PyTorch's results or one rank's."""
    name = case["name"]
    if isinstance(theirs, list) and "results" in ours:
        mine = ours["results"]
        if name in ONE_RESULT and len(theirs) == 1:
            mine = mine[:1]
        if len(mine) != len(theirs):
            return f"{len(mine)} results, not {len(theirs)}"
        if name in UNSET or OPERATORS[name]["random"] and name != "dropout":
            mine = [b if b is not None and (a.dtype, a.shape) == (
                b.dtype, b.shape) else a for a, b in zip(mine, theirs)]
        pairs = list(zip(mine, theirs))
        if name in PICKS and theirs is case["theirs"]:
            pairs[-1] = named_elements(case, *pairs[-1])
        pairs = [(a, b) for a, b in pairs if b is not None]
        ours = {**ours, "results": [a for a, _ in pairs]}
        theirs = [b for _, b in pairs]
    return differ(case, ours, theirs)


def named_elements(case, ours, theirs):
    """The elements that indexes name: of equal ones any may be picked."""
    self = case["args"][0]
    names = [name for _, name, _ in OPERATORS[case["name"]]["parameters"]]
    dim = case["args"][names.index("dim")]
    if (ours.dtype, ours.shape) != (theirs.dtype, theirs.shape) or (
            self.dim() == 0):
        return ours, theirs
    if ours.dim() < self.dim():
        ours, theirs = ours.unsqueeze(dim), theirs.unsqueeze(dim)
    if ours.numel() and not 0 <= ours.min() <= ours.max() < self.shape[dim]:
        return ours, theirs
    return self.gather(dim, ours), self.gather(dim, theirs)


# ---- Layouts -----------------------------------------------------------------

def may_be_spread(case, ours):
    return ("results" in ours and case["form"] == "new"
            and next(tensors_of(case), None) is not None)


def is_finite(tensors):
    return all(bool(t.isfinite().all()) for t in tensors)


def lay_out(case, ours):
    """The case with inputs on 2x2 ranks.  A partial sum of an infinite value is
    NaN in the ranks' own arithmetic: only finite ones are partial."""
    tensors = list(tensors_of(case))
    partial = is_finite(tensors) and is_finite(ours["results"])
    layouts = []
    for tensor in tensors:
        drawn = draw_placements(MESH, tensor)
        layouts.append("".join(p if partial or p[0] != "P" else "R"
                               for p in drawn))
    return {**case, "layouts": layouts, "mesh": "a=2,b=2",
            "alone": ours["results"]}


# ---- All of it ---------------------------------------------------------------

def report(examination, recorder):
    done = examination
    missed = [entry[3] for entry in EXPLAINED + LAYOUTS_EXPLAINED
              if entry[3] not in done.met]
    if FULL and not ONLY:
        for reason in missed:
            print(f"opinfo: explained, but never met: {reason}")
        done.failures += len(missed)
    print(f"opinfo: {done.calls} calls of {len(done.names)} operators against "
          f"PyTorch {torch.__version__}, {done.refused} refused there, "
          f"{done.spread} on 2x2 ranks, {sum(recorder.untranslated.values())} "
          f"not translated, {done.explained} differences explained, "
          f"{done.failures} not (DT_TEST_SEED={SEED})")
    sys.exit(done.failures != 0)


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    examination = Examination(pathlib.Path(sys.argv[1]) / "peer_ops")
    recorder = Recorder()
    for op in operators():
        with torch.backends.mkldnn.flags(enabled=False):
            run_operator(recorder, op)
        if ONLY:
            recorder.cases = [c for c in recorder.cases if c["name"] in ONLY]
        if len(recorder.cases) >= BATCH:
            examination.examine(recorder.cases)
            recorder.cases = []
    examination.examine(recorder.cases)
    report(examination, recorder)


if __name__ == "__main__":
    main()
