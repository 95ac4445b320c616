# tests/peers/family_softmax.py - what comes back through softmax.
# SPDX-License-Identifier: Apache-2.0
"""See ops_families.py."""

from ops_calls import FLOATS
from ops_draw import along, any_dtype, chance, draw, mostly, pick
from ops_named import is_empty, named, zeros
from ops_small import any_case, columns, rows, small
from ops_small import named as lying
import torch

ATEN = {"softmax_backward": "_softmax_backward_data",
        "log_softmax_backward": "_log_softmax_backward_data"}
NORMS = {"softmax_backward", "log_softmax_backward"}


def gradient(grad, output, dim):
    """What cancels in each of them."""
    wide = [t.to(torch.float64).abs().nan_to_num(0, 0, 0)
            for t in (grad, output)]
    if grad.dim() == 0:
        dim = 0
    return wide[0], wide[1], dim


def softmax_bound(case, _):
    grad, output, dim = gradient(*case["args"][:3])
    return output * (grad + (grad * output).sum(dim, True))


def log_softmax_bound(case, _):
    grad, _, dim = gradient(*case["args"][:3])
    output = case["args"][1].to(torch.float64)
    return grad + ((1 + output.abs()) * output.exp()).nan_to_num(
        0, 0, 0) * grad.sum(dim, True)


BOUND = {"softmax_backward": softmax_bound,
         "log_softmax_backward": log_softmax_bound}


def draw_backward():
    output, dim = along(0, FLOATS)
    output = draw(list(output.shape), output.dtype, special="few")
    shape = list(output.shape)
    if shape and chance(4):
        shape[0] += 1
    grad = draw(shape, output.dtype if chance(97) else any_dtype(),
                special="few")
    return [grad, output, dim,
            output.dtype if chance(96) else mostly(FLOATS)]


DRAW = {"softmax_backward": draw_backward, "log_softmax_backward": draw_backward}
EXPLAINED = [
    (set(ATEN), "we refuse: .*grad_output is .* but output is",
     lambda case: case["args"][0].shape != case["args"][1].shape
     or is_empty(case),
     named("log_softmax_backward", zeros("f32", 2), zeros("f32", 1), 0,
           torch.float32),
     "PyTorch does not always compare shapes, nor dtypes if there is nothing "
     "to compute"),
    (set(ATEN), "we refuse: .*pass a floating-point dtype",
     lambda case: is_empty(case) or not case["args"][3].is_floating_point,
     named("softmax_backward", zeros("i8", 0), zeros("i8", 0), 0, torch.int8),
     "PyTorch looks at the dtype only if there is something to compute"),
    (set(ATEN), "(dtype|PyTorch refuses: .*expected scalar type)",
     lambda case: case["args"][3] != case["args"][0].dtype,
     named("softmax_backward", zeros("f32", 2), zeros("f32", 2), 0,
           torch.float64),
     "the gradient has the dtype that the call says; in PyTorch so on "
     "accelerators alone"),
]


def call_backward():
    shape = rows(), columns()
    return [small(*shape), small(*shape), pick.choice([0, 1, -1]),
            torch.float32]


CALLS = {"softmax_backward": call_backward,
         "log_softmax_backward": call_backward}
LAYOUTS_EXPLAINED = [
    ({"softmax", "log_softmax", "safe_softmax", *ATEN},
     r"(more|other): .*by all-reduce:\d, not", any_case,
     lying("softmax", lambda: [small(8, 4), 1, None], "S(1)"),
     "what is known of each run is combined, and runs stay where they are"),
]
