# tests/peers/family_attention.py - attention, compared with PyTorch's.
# SPDX-License-Identifier: Apache-2.0
"""Tables of ops_families.py."""

import math

import torch
import torch.nn.functional as functional
from ops_calls import FLOATS
from ops_draw import any_dtype, chance, draw, pick
from ops_named import any_case, is_empty, named, zeros

FORWARD = "scaled_dot_product_attention"
INF = math.inf


# ---- References --------------------------------------------------------------

def attention(query, key, value, attn_mask=None, dropout_p=0.0,
              is_causal=False, scale=INF, enable_gqa=False, generator=None):
    if (query.dtype == torch.float64 and attn_mask is not None
            and attn_mask.dtype == torch.float32):
        attn_mask = attn_mask.to(query.dtype)  # many keys: PyTorch misreads it
    return functional.scaled_dot_product_attention(
        query, key, value, attn_mask, dropout_p, is_causal,
        scale=None if scale == INF else scale, enable_gqa=enable_gqa)


def scores_of(query, key, attn_mask, is_causal, scale, enable_gqa):
    if enable_gqa:
        key = key.repeat_interleave(query.shape[-3] // key.shape[-3], -3)
    scores = query @ key.transpose(-1, -2) * (
        1 / math.sqrt(query.shape[-1] or 1) if scale == INF else scale)
    if is_causal:
        seen = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        scores = scores.masked_fill(~seen, -INF)
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        scores = scores.masked_fill(~attn_mask, -INF)
    elif attn_mask is not None:
        scores = scores + attn_mask
    return scores


def wide_type(tensor):
    return torch.float64 if tensor.dtype == torch.float64 else torch.float32


def forward(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False,
            scale=INF, enable_gqa=False, generator=None):
    out = attention(query, key, value, attn_mask, dropout_p, is_causal, scale,
                    enable_gqa)
    wide = wide_type(query)
    scores = scores_of(query.to(wide), key.to(wide), attn_mask, is_causal,
                       scale, enable_gqa)
    return out, scores.logsumexp(-1).to(wide), torch.zeros(2, dtype=torch.int64)


def backward(grad_out, query, key, value, out, logsumexp, dropout_key=None,
             attn_mask=None, dropout_p=0.0, is_causal=False, scale=INF,
             enable_gqa=False):
    """By PyTorch's own gradients, in f64; the results that are given are what
    PyTorch has, too."""
    inputs = [t.detach().to(torch.float64).requires_grad_()
              for t in (query, key, value)]
    mask = attn_mask
    if mask is not None and mask.is_floating_point():
        mask = mask.to(torch.float64)
    with torch.enable_grad():
        result = attention(*inputs, mask, 0.0, is_causal, scale, enable_gqa)
    grads = torch.autograd.grad(result, inputs, grad_out.to(torch.float64))
    return [g.to(query.dtype) for g in grads]


def mask_backward(grad_out, query, key, value, output, logsumexp,
                  dropout_key=None, attn_mask=None, dropout_p=0.0,
                  is_causal=False, scale=INF, enable_gqa=False):
    """By PyTorch's own gradients, in f64."""
    wide = [t.detach().to(torch.float64) for t in (query, key, value)]
    mask = attn_mask.detach().to(torch.float64).requires_grad_()
    with torch.enable_grad():
        result = attention(*wide, mask, 0.0, is_causal, scale, enable_gqa)
    if not result.requires_grad:  # nothing is there
        return torch.zeros_like(attn_mask)
    grad, = torch.autograd.grad(result, mask, grad_out.to(torch.float64))
    return grad.to(attn_mask.dtype)


# ---- Arguments ---------------------------------------------------------------

def extents():
    batch = pick.choice([[], [2], [2, 3], [1, 4], [3, 2, 2], [0, 2]])
    return batch, pick.choice([1, 2, 5, 7, 33, 150]), pick.choice(
        [1, 3, 6, 20, 300]), pick.choice([1, 2, 4, 8, 13])


def tensors(dtype):
    batch, length, keys, width = extents()
    wide = width if chance(70) else pick.choice([1, 3, 5])
    grouped = bool(batch) and chance(30)
    heads = list(batch)
    if grouped:
        batch = batch[:-1] + [batch[-1] * pick.choice([2, 3])]
    made = [draw(shape, dtype, special=False)
            for shape in ([*batch, length, width], [*heads, keys, width],
                          [*heads, keys, wide])]
    return made, [*batch, length, keys], grouped


def draw_mask(shape, dtype):
    """A mask that is broadcast, sometimes."""
    shape = [1 if chance(25) else size for size in shape]
    if chance(40):
        shape = shape[pick.randint(0, max(0, len(shape) - 2)):]
    if chance(50):
        return draw(shape, torch.bool)
    mask = draw(shape, dtype if chance(70) else torch.float32, special=False)
    if mask.is_floating_point() and mask.numel() and chance(30):
        mask = mask.masked_fill(torch.rand(mask.shape) < 0.3, -INF)
    return mask


def options(made, shape, grouped):
    mask = draw_mask(shape, made[0].dtype) if chance(50) else None
    causal = mask is None and chance(50)
    if chance(3):
        causal = True
    return [mask, 0.0, causal, INF if chance(60) else 0.3, grouped]


def draw_attention():
    dtype = pick.choice(FLOATS) if chance(96) else any_dtype()
    made, shape, grouped = tensors(dtype)
    if chance(4):
        made[pick.randrange(3)] = draw([2, 3], dtype, special=False)
    if chance(4):
        made[1] = made[1].to(any_dtype())
    return [*made, *options(made, shape, grouped), None]


def draw_backward():
    dtype = pick.choice(FLOATS)
    made, shape, grouped = tensors(dtype)
    how = options(made, shape, grouped)
    how[2] = how[2] and how[0] is None
    out, logsumexp, _ = forward(*made, *how)
    return [draw(list(out.shape), dtype, special=False), *made, out, logsumexp,
            None, *how]


def draw_mask_backward():
    dtype = pick.choice(FLOATS)
    made, shape, grouped = tensors(dtype)
    mask = draw_mask(shape, dtype)
    while mask.dtype == torch.bool:
        mask = draw_mask(shape, dtype)
    how = [mask, 0.0, False, INF if chance(60) else 0.3, grouped]
    out, logsumexp, _ = forward(*made, *how)
    return [draw(list(out.shape), dtype, special=False), *made, out, logsumexp,
            None, *how]


# ---- Tables ------------------------------------------------------------------

REFERENCE = {FORWARD: attention, FORWARD + "_forward": forward,
             FORWARD + "_backward": backward,
             FORWARD + "_mask_backward": mask_backward}
DRAW = {FORWARD: draw_attention, FORWARD + "_backward": draw_backward,
        FORWARD + "_mask_backward": draw_mask_backward}
LEFT_OUT = {FORWARD + "_forward": "its key is a random number; "
            "tests/ranks/ops/nn/attention.c compares it with the others"}



def size(tensor):
    wide = tensor.to(torch.float64).abs().nan_to_num(0, 0, 0)
    return wide.max() if wide.numel() else torch.tensor(0.0)


def bound_forward(case, theirs):
    """Weights are exponentials of sums: their errors are those of scores."""
    query, key, value = case["args"][:3]
    return 4 * size(value) * (4 + size(query) * size(key) * query.shape[-1]
                              ** 0.5)


def bound_backward(case, theirs):
    grad, query, key, value = case["args"][:4]
    scores = 4 + size(query) * size(key) * query.shape[-1] ** 0.5
    return 64 * size(grad) * (1 + size(value)) * (
        1 + size(query) + size(key)) * scores


def bound_mask(case, theirs):
    """As many scores as the mask is repeated for are added up."""
    query, mask = case["args"][1], case["args"][7]
    count = query[..., 0].numel() * case["args"][2].shape[-2]
    return bound_backward(case, theirs) * max(1, count / max(1, mask.numel())
                                              ) ** 0.5


BOUND = {FORWARD: bound_forward, FORWARD + "_backward": bound_backward,
         FORWARD + "_mask_backward": bound_mask}


EXPLAINED = [
    ({FORWARD}, "we refuse: .*(must be equal|must equal the number of keys)", any_case,
     named(FORWARD, zeros("f32", 2, 0, 4), zeros("f32", 2, 5, 4),
           zeros("f32", 2, 6, 4), None, 0.0, False, INF, False, None),
     "PyTorch compares shapes only if there are queries"),
    ({FORWARD}, "we refuse: .*must have the same number of dimensions", is_empty,
     named(FORWARD, zeros("f32", 2, 3), zeros("f32", 0, 2, 1, 4),
           zeros("f32", 0, 2, 1, 5), None, 0.0, False, INF, True, None),
     "PyTorch compares numbers of dimensions only if there are keys"),
    ({FORWARD}, "we refuse: .*attn_mask and is_causal", any_case,
     named(FORWARD, zeros("f32", 1, 1, 2, 4), zeros("f32", 1, 1, 2, 4),
           zeros("f32", 1, 1, 2, 4), zeros("bool", 2, 2), 0.0, True, INF,
           False, None),
     "some ways in which PyTorch computes refuse that, others take both"),
    ({FORWARD}, "we refuse: .*query is .*; expected a floating-point dtype", is_empty,
     named(FORWARD, zeros("bool", 0, 1, 2, 4), zeros("bool", 0, 1, 3, 4),
           zeros("bool", 0, 1, 3, 4), None, 0.0, False, INF, False, None),
     "PyTorch looks at the dtype only if there are elements"),
]

LAYOUTS_LEFT_OUT = {
    FORWARD + form: "DTensor has no rule for attention on processors"
    for form in ("", "_forward", "_backward", "_mask_backward")}
