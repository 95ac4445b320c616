# tests/peers/family_reduce.py - variances, logsumexp and their kind.
# SPDX-License-Identifier: Apache-2.0
"""Tables of ops_families.py."""

import ops_small as small
from ops_calls import FLOATS, aten, copy_out, has_dtype
from ops_draw import (any_dtype, chance, draw, draw_dims, draw_shape, mostly,
                      pick, reduction, reduction_with_dtype)
from ops_named import (INF, NAN, any_case, is_empty, is_finite, is_narrowed,
                       named, numbers, zeros)
import torch


def draw_variance():
    return reduction(FLOATS + [torch.complex64])() + [
        pick.choice([1.0, 1.0, 0.0, 0.5, 2.0, -1.0])]


def draw_count():
    shape = draw_shape()
    return [draw(shape, any_dtype()), draw_dims(len(shape))]


def variance(name):
    """PyTorch's takes None for all dimensions, and keepdim as an option."""
    function = getattr(torch, name)
    return lambda self, dims, keepdim, correction=1.0, out=None: copy_out(
        function(self, dim=dims or None, correction=correction,
                 keepdim=keepdim), out)


def mean_and(name):
    function = getattr(torch, name)
    return lambda self, dims, keepdim, correction=1.0: function(
        self, dim=dims or None, correction=correction, keepdim=keepdim)


def reference_aminmax(self, dims, keepdim):
    """PyTorch's takes one dimension, or none for all."""
    return [torch.amin(self, dims, keepdim), torch.amax(self, dims, keepdim)]


def all_dims(function):
    return lambda self, dims, keepdim, **options: function(
        self, dims or list(range(self.dim())), keepdim, **options)


def spread_bound(case, theirs):
    """Errors are those of what elements differ from their mean."""
    self = case["args"][0]
    size = (self.abs() if self.is_complex() else self.to(torch.float64).abs()
            ).to(torch.float64).nan_to_num(0, 0, 0)
    most = size.max() if size.numel() else torch.tensor(0.0)
    return (theirs.abs().to(torch.float64).nan_to_num(0, 0, 0)
            + (most if case["name"].startswith("std") else most * most))


VARIANCES = {"var", "std", "var_mean", "std_mean"}
ATEN = {}
REFERENCE = {
    "var": variance("var"), "std": variance("std"),
    "var_mean": mean_and("var_mean"), "std_mean": mean_and("std_mean"),
    "logsumexp": all_dims(aten.logsumexp),
    "nansum": all_dims(aten.nansum),
    "nanmean": lambda self, dims, keepdim, dtype=None, out=None: copy_out(
        torch.nanmean(self, dims or None, keepdim, dtype=dtype), out),
    "count_nonzero": lambda self, dims, out=None: copy_out(
        torch.count_nonzero(self, dims or None), out),
    "aminmax": reference_aminmax,
}
EXACT = {"count_nonzero", "aminmax"}
NORMS = {"logsumexp", *VARIANCES}
BOUND = {
    **{name: spread_bound for name in VARIANCES},
    "logsumexp": lambda case, theirs: 1 + theirs.abs().to(torch.float64),
    "nansum": lambda case, theirs: torch.nansum(
        case["args"][0].to(torch.float64).abs(),
        case["args"][1] or list(range(case["args"][0].dim())),
        case["args"][2]),
    "nanmean": lambda case, theirs: torch.nanmean(
        case["args"][0].to(torch.float64).abs(), case["args"][1] or None,
        case["args"][2]),
}
SUMS = set()
DRAW = {
    **{name: draw_variance for name in VARIANCES},
    "logsumexp": reduction(FLOATS),
    "nansum": reduction_with_dtype(),
    "nanmean": lambda: reduction(FLOATS)() + [
        mostly(FLOATS) if chance(20) else None],
    "count_nonzero": draw_count,
    "aminmax": reduction(),
}
EXPLAINED = [
    (VARIANCES, ".*values", lambda case: not is_finite(case),
     named("var_mean", numbers("f32", INF, 1.0), [], False, 1.0),
     "the mean of infinity is infinity, and squares of large numbers of f32 "
     "and f16 do not overflow; PyTorch's running mean gives NaN"),
    ({"logsumexp"}, ".*values.*nan", lambda case: case["form"] == "out"
     and case["out"].is_complex() and not is_finite(case),
     named("logsumexp", numbers("f64", NAN, 1.0), [0], False, form="out",
           out=zeros("c64")),
     "PyTorch computes in the dtype of out, where both parts become NaN"),
    ({"aminmax"}, "we refuse: .*c64",
     lambda case: has_dtype(case, "c64") and is_empty(case),
     named("aminmax", zeros("c64", 0, 3), [1], True),
     "PyTorch looks at the dtype only if there are elements"),
    ({"nansum", "nanmean"}, ".*values", is_narrowed,
     named("nansum", numbers("f32", 1e30, -1e30), [], False, torch.float16),
     "PyTorch converts to the dtype first; here floats stay what they are"),
    ({"nansum"}, "we refuse: .*not supported for dtype c64",
     lambda case: not case["args"][0].is_floating_point(),
     named("nansum", zeros("i64", 2), [], False, torch.complex64),
     "no sum of complex numbers leaves NaN out; PyTorch's of integers, which "
     "have none, is a sum"),
    ({"nansum"}, "PyTorch refuses: .*not implemented for 'Complex",
     lambda case: case["form"] == "out",
     named("nansum", zeros("f16", 2), [], False, None, form="out",
           out=zeros("c64")),
     "the same: a result that out holds is put there"),
    ({"nansum"}, "we refuse: .*cannot be stored in out, which is",
     lambda case: case["form"] == "out",
     named("nansum", zeros("i64", 1), [], False, None, form="out",
           out=zeros("bool")),
     "PyTorch computes in the dtype of out, whatever that is"),
]

CALLS = {
    **{name: small.reduce_call(1.0) for name in VARIANCES},
    "logsumexp": small.reduce_call(), "nansum": small.reduce_call(None),
    "nanmean": small.reduce_call(None), "aminmax": small.reduce_call(),
    "count_nonzero": lambda: [small.matrix(), pick.choice([[], [0], [1]])],
}
LAYOUTS_EXPLAINED = [
    ({"logsumexp"}, "other: .* by -, not .* by 0", small.any_case,
     small.named("logsumexp", lambda: [small.small(8, 4), [0], True], "S(1)"),
     "with keepdim, PyTorch says that another dimension is cut"),
    (VARIANCES | {"logsumexp", "nanmean"}, "(other|more): .*all-(gather|reduce)",
     small.any_case,
     small.named("var", lambda: [small.small(4, 3), [1], False, 1.0],
                 "S(1) P(avg)"),
     "two numbers of each part are exchanged, not all elements"),
    ({"nansum"}, "more: .*, not .* by 0", small.has_partial,
     small.named("nansum", lambda: [small.small(8, 4), [0], False, None],
                 "P(sum)"),
     "PyTorch leaves out addends that are NaN, of which the sum is"),
    ({"aminmax"}, r"other: .*P\(min\).*P\(max\)", small.any_case,
     small.named("aminmax", lambda: [small.small(8, 4), [], True], "S(1)"),
     "results are those of parts, partial; PyTorch gives them as shards"),
]
