# tests/peers/gradients_cases.py - operators whose gradients want arguments of
# their own.
# SPDX-License-Identifier: Apache-2.0
"""Of gradients.py.

FIRST_ALONE  operators of which only the first result has a gradient
CONSTANTS    names of tensors that are functions of the others and no leaves
ADAPT        functions of arguments that return such as an operator is called
             with: statistics that are those of the input, probabilities
CALLS        functions of PyTorch, where those of ops.py cannot be differentiated
"""

from family_loss import class_dim, cross_entropy_loss
from family_norm import without
import torch
import torch.nn.functional as F

FIRST_ALONE = {"layer_norm", "rms_norm", "group_norm", "cross_entropy_forward",
               "nll_loss"}
CONSTANTS = {"mean", "rstd", "logsumexp", "total_weight", "lse"}
EPSILON = 1e-3


def last_dims(self, shape):
    return list(range(self.dim() - len(shape), self.dim()))


def adapt_layer_norm(args):
    """Of one element, nothing but rounding is left."""
    grad, self, shape, mean, rstd, *rest = args
    dims = last_dims(self, shape)
    if max(shape, default=1) == 1:
        raise RuntimeError("one element")
    if not dims or self.dim() < len(shape) or mean.shape != self.mean(
            dims, True).shape:
        return args
    return [grad, self, shape, self.mean(dims, True),
            (self.var(dims, correction=0, keepdim=True) + EPSILON).rsqrt(),
            *rest]


def root(self, dims):
    return (self.square().mean(dims, True) + EPSILON).rsqrt()


def adapt_rms_norm(args):
    grad, self, shape, rstd, *rest = args
    if not shape or self.dim() < len(shape):
        return args
    made = root(self, last_dims(self, shape)).to(rstd.dtype)
    return [grad, self, shape, made if made.shape == rstd.shape else rstd,
            *rest]


def adapt_group_norm(args):
    grad, self, mean, rstd, weight, n, c, hxw, group, mask = args
    if group < 1 or c % group or self.numel() != n * c * hxw or not n:
        return args
    rows = self.reshape(n, group, -1)
    made = [rows.mean(-1), (rows.var(-1, correction=0) + EPSILON).rsqrt()]
    if made[0].shape != mean.shape:
        return args
    return [grad, self, *(m.to(mean.dtype) for m in made), weight, n, c, hxw,
            group, mask]


def adapt_cross_entropy(args):
    grad, self, target, weight, lse, total, reduction, ignored, smooth = args
    if target.is_floating_point() or self.dim() == 0 or (
            weight is not None and target.numel()
            and not 0 <= target.min() <= target.max() < len(weight)):
        return args
    kept = target[target != ignored].to(torch.int64)
    counted = (torch.tensor(kept.numel()) if weight is None
               else weight[kept].sum()).to(total.dtype)
    made = torch.logsumexp(self, class_dim(self)).to(lse.dtype)
    return [grad, self, target, weight, made if made.shape == lse.shape
            else lse, counted.reshape(total.shape), reduction, ignored, smooth]


def adapt_probability(args):
    """The denominator p (1 - p) is kept from 0: where it is, it is constant."""
    grad, self, target, *rest = args
    return [grad, 0.1 + 0.8 * torch.rand_like(self), target, *rest]


def adapt_logit(args):
    grad, self, eps = args
    return [grad, 0.1 + 0.8 * torch.rand_like(self), eps]


ADAPT = {"logit_backward": adapt_logit,
         "layer_norm_backward": adapt_layer_norm,
         "rms_norm_backward": adapt_rms_norm,
         "group_norm_backward": adapt_group_norm,
         "cross_entropy_backward": adapt_cross_entropy,
         "binary_cross_entropy_backward": adapt_probability}


def rms_norm_backward(grad, self, shape, rstd, weight, mask):
    """The root depends on the input."""
    if len(mask) != 2 or grad.shape != self.shape or list(
            self.shape[-len(shape):]) != shape or grad.dtype != self.dtype:
        raise RuntimeError("arguments")
    dims = last_dims(self, shape)
    rows = list(range(self.dim() - len(shape)))
    rstd = root(self, dims)
    hat = self * rstd
    scaled = grad if weight is None else grad * weight
    made = rstd * (scaled - hat * (scaled * hat).mean(dims, True))
    return without([made, (grad * hat).sum(rows) if rows else grad * hat],
                   mask)


def slope(forward):
    """The gradient of a function by its first argument, which can be
    differentiated itself."""
    def made(grad, self, *rest):
        leaf = self if self.requires_grad else self.clone().requires_grad_()
        value = forward(leaf, *rest)
        return torch.autograd.grad(value, leaf, grad.expand(value.shape),
                                   create_graph=True)[0]
    return made


def slope_of_two(loss):
    """The same of a loss, for self as it is broadcast."""
    def made(grad, self, target, *rest):
        wide = torch.broadcast_shapes(self.shape, target.shape)
        return slope(loss)(grad, self.expand(wide).clone(), target, *rest)
    return made


def logit(self, eps):
    if self.is_complex():
        raise RuntimeError("complex")
    return torch.log(self / (1 - self)) if eps < 0 else torch.logit(self, eps)


def cross_entropy_backward(grad, self, target, weight, lse, total, *rest):
    del lse, total
    return slope(cross_entropy_loss)(grad, self, target, weight, *rest)


CALLS = {
    "rms_norm_backward": rms_norm_backward,
    "cross_entropy_backward": cross_entropy_backward,
    "silu_backward": slope(F.silu), "mish_backward": slope(F.mish),
    "log_sigmoid_backward": slope(lambda self: -F.softplus(-self)),
    "hardsigmoid_backward": slope(lambda self: F.relu6(self + 3) / 6),
    "logit_backward": slope(logit),
    "l1_loss_backward": slope_of_two(torch.ops.aten.l1_loss),
    "kl_div_backward": slope_of_two(
        lambda self, target, reduction, log_target: torch.ops.aten.kl_div(
            self, target, reduction, log_target=log_target)),
    "binary_cross_entropy_logits_backward": slope_of_two(
        torch.ops.aten.binary_cross_entropy_with_logits)}
