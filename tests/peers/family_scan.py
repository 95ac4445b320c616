# tests/peers/family_scan.py - running sums, products and extremes.
# SPDX-License-Identifier: Apache-2.0
"""Tables of ops_families.py."""

import ops_small as small
from ops_calls import FLOATS, tensors_of
from ops_draw import along, chance, mostly
from ops_named import INF, any_case, named, numbers, out_of_range, zeros
import torch


def draw_sum():
    wanted = mostly(FLOATS + [torch.int64]) if chance(20) else None
    return [*along(), wanted]


def sizes(case, _):
    """Running sums of absolute values."""
    self, dim = case["args"][:2]
    size = (self.abs() if self.is_complex() else self.to(torch.float64).abs())
    return torch.cumsum(size.to(torch.float64), dim)


def is_small(case):
    return all(t.dim() == 0 or t.numel() == 0 for t in tensors_of(case))


def is_scan(case, _):
    return case["name"] in DRAW


EXACT = {"cummax", "cummin"}
BOUND = {"cumsum": sizes,
         "logcumsumexp": lambda case, theirs:
         1 + theirs.abs().to(torch.float64)}
NORMS = {"cumsum", "cumprod", "logcumsumexp"}
DRAW = {
    "cumsum": draw_sum, "cumprod": draw_sum,
    "cummax": lambda: list(along()), "cummin": lambda: list(along()),
    "logcumsumexp": lambda: list(along(0, FLOATS)),
}
EXPLAINED = [
    ({"cummax", "cummin"}, "we refuse: .*(not supported for dtype c64|dimension)", is_small,
     named("cummax", zeros("c64"), 0),
     "PyTorch looks at dtype and dimension only if there is something to "
     "compare"),
    ({"logcumsumexp"}, "we refuse: .*not supported for dtype c64", any_case,
     named("logcumsumexp", zeros("c64", 2), 0),
     "there is no largest complex number"),
    ({"cumsum", "cumprod"}, "PyTorch refuses: .*Bad in-place call",
     lambda case: case["form"] == "in_place",
     named("cumsum", zeros("f16", 2), 0, torch.float64, form="in_place"),
     "what was worked out in another dtype is converted back"),
    ({"cumsum", "cumprod"}, "we refuse: .*not supported for dtype bool", is_small,
     named("cumsum", zeros("f32", 0), 0, torch.bool),
     "PyTorch looks at the dtype only if there is something to add"),
    ({"cumsum", "cumprod"}, "we refuse: .*cannot be stored in self, which is bool",
     lambda case: case["form"] == "in_place" and is_small(case),
     named("cumsum", zeros("bool"), 0, None, form="in_place"),
     "PyTorch looks at the dtype only if there is something to add"),
    ({"cumsum", "cumprod"}, "we refuse: .*cannot be stored in out, which is",
     lambda case: case["form"] == "out",
     named("cumsum", zeros("f64", 2), 0, None, form="out",
           out=zeros("i32", 2)),
     "PyTorch computes in the dtype of out, whatever that is"),
    ({"cumsum", "cumprod"}, ".*values",
     lambda case: case["args"][2] is not None
     and out_of_range({"args": [case["args"][0], case["args"][2]]}),
     named("cumsum", numbers("f32", INF, 1.0), 0, torch.int64),
     "floats saturate and NaN gives 0; in C, and so in PyTorch, what happens "
     "is not defined"),
    ({"cumsum", "cumprod"}, ".*values",
     lambda case: case["form"] == "out"
     and case["out"].dtype != case.get("computed"),
     named("cumsum", numbers("f16", 1.0, 0.0004), 0, None, form="out",
           out=zeros("f64", 2)),
     "PyTorch computes in the dtype of out, ours is that of the result"),
    ({"logcumsumexp"}, "PyTorch refuses: .*expected scalar_type",
     lambda case: case["form"] == "out",
     named("logcumsumexp", zeros("f32", 2), 0, form="out",
           out=zeros("f64", 2)),
     "PyTorch does not convert here"),
]
CALLS = {
    "cumsum": small.along(None),
    "cumprod": lambda: [small.small(small.rows(), 4), 0, None],
    "cummax": small.along(), "cummin": small.along(),
    "logcumsumexp": small.along(),
}
LAYOUTS_EXPLAINED = [
    ({"cumsum", "logcumsumexp"}, "more: .*all-gather:1.*, not .*S.* by [01]",
     small.any_case,
     small.named("cumsum", lambda: [small.small(8, 4), -1, None], "S(1)"),
     "PyTorch scans each part by itself if the dimension is negative"),
    (None, "other: .*S.* by all-gather:1, not ", is_scan,
     small.named("cumsum", lambda: [small.small(8, 4), 0, None], "S(0)"),
     "what parts come to is exchanged, and results stay cut"),
]
