# tests/peers/family_loss.py - losses of classes.
# SPDX-License-Identifier: Apache-2.0
"""See ops_families.py.  Gradients of what PyTorch has no function for are those
of its autograd."""

from ops_calls import FLOATS
from ops_draw import any_dtype, chance, draw, extent, lay, mostly, pick, plain
from ops_named import is_empty, named, numbers, zeros
from ops_small import any_case, small
from ops_small import named as lying
import torch
import torch.nn.functional as functional

aten = torch.ops.aten
REDUCTIONS = ["none", "mean", "sum"]


# ---- PyTorch's side ----------------------------------------------------------

def class_dim(self):
    return 0 if self.dim() == 1 else 1


def flat(self, target):
    """self as PyTorch's kernel wants it: (items, classes, places, 1)."""
    if self.dim() < 3:
        return self, target, "nll_loss"
    shape = self.shape[0], self.shape[1], self.shape[2:].numel(), 1
    return self.contiguous().reshape(shape), target.reshape(
        shape[0], *shape[2:]), "nll_loss2d"


def check_classes(self, target, weight, ignored):
    """What PyTorch checks only now and then."""
    dim = class_dim(self)
    if list(target.shape) != [s for d, s in enumerate(self.shape) if d != dim]:
        raise RuntimeError("shape of target")
    if target.dtype not in (torch.int64, torch.int32):
        raise RuntimeError("dtype of target")
    if weight is not None and (weight.dtype != self.dtype or list(
            weight.shape) != [self.shape[dim]]):
        raise RuntimeError("weight")
    out = (target < 0) | (target >= self.shape[dim])
    if (out & (target != ignored)).any():
        raise RuntimeError("target is out of bounds")


def nll_loss(self, target, weight, reduction, ignore_index):
    if self.dim() == 0 or not self.is_floating_point():
        raise RuntimeError("self")
    check_classes(self, target, weight, ignore_index)
    same, classes, name = flat(self, target.to(torch.int64))
    loss, total = getattr(aten, f"{name}_forward")(
        same, classes, weight, reduction, ignore_index)
    return loss.reshape(target.shape) if reduction == 0 else loss, total


def nll_loss_backward(grad, self, target, weight, reduction, ignored, total):
    check_classes(self, target, weight, ignored)
    if grad.shape != (target.shape if reduction == 0 else ()):
        raise RuntimeError("grad_output")
    same, classes, name = flat(self, target.to(torch.int64))
    if reduction == 0:
        grad = grad.reshape(classes.shape)
    return getattr(aten, f"{name}_backward")(
        grad, same, classes, weight, reduction, ignored, total).reshape(
            self.shape)


def cross_entropy_loss(self, target, weight, reduction, ignore_index,
                       label_smoothing):
    if target.dtype == torch.int32:
        target = target.to(torch.int64)
    if not target.is_floating_point():
        check_classes(self, target, weight, ignore_index)
    return aten.cross_entropy_loss(self, target, weight, reduction,
                                   ignore_index, label_smoothing)


def cross_entropy_forward(self, target, weight, reduction, ignore_index,
                          label_smoothing):
    loss = cross_entropy_loss(self, target, weight, reduction, ignore_index,
                              label_smoothing)
    if target.is_floating_point():
        raise RuntimeError("target")
    wide = torch.float64 if self.dtype == torch.float64 else torch.float32
    lse = torch.logsumexp(self.to(wide), class_dim(self))
    counts = target[target != ignore_index].to(torch.int64)
    total = (weight.to(wide)[counts].sum() if weight is not None
             else torch.tensor(counts.numel()))
    return loss, lse, total.to(wide)


def cross_entropy_backward(grad, self, target, weight, lse, total, reduction,
                           ignore_index, label_smoothing):
    """By autograd; logsumexp and total_weight are what they would be."""
    del lse, total
    with torch.enable_grad():
        leaf = self.detach().clone().requires_grad_()
        loss = cross_entropy_loss(leaf, target, weight, reduction,
                                  ignore_index, label_smoothing)
        return torch.autograd.grad(loss, leaf, grad)[0]


REFERENCE = {"nll_loss": nll_loss, "nll_loss_backward": nll_loss_backward,
             "cross_entropy_loss": cross_entropy_loss,
             "cross_entropy_forward": cross_entropy_forward,
             "cross_entropy_backward": cross_entropy_backward}
SUMS = set()
NORMS = set(REFERENCE)


# ---- Random arguments --------------------------------------------------------

def largest(tensor):
    """The largest absolute value of a tensor."""
    wide = tensor.to(torch.float64).abs().nan_to_num(0, 0, 0)
    return wide.max() if wide.numel() else wide.sum()


def loss_bound(case, theirs):
    """Sums of what may cancel."""
    self, _, weight = case["args"][:3]
    size = 2 * largest(self) + 8
    size = size * (1 if weight is None else largest(weight))
    reduction = case["args"][3]
    count = self.numel() // max(1, self.shape[class_dim(self)])
    return theirs.abs().to(torch.float64).nan_to_num(0, 0, 0) + size * (
        count if reduction == 2 else 1)


def grad_bound(case, _):
    grad, self, _, weight = case["args"][:4]
    bound = largest(grad) * (1 + largest(self)) * 4
    return bound * (1 if weight is None else largest(weight))


BOUND = {"nll_loss": loss_bound, "cross_entropy_loss": loss_bound,
         "cross_entropy_forward": loss_bound,
         "cross_entropy_backward": grad_bound}


def draw_classes(special="few"):
    """self, target, weight; a reduction and what is ignored."""
    shape = pick.choice([[5], [extent(), 4], [extent(), 7], [3, 1],
                         [extent(), 3, extent()], [2, 5, extent(), 2],
                         [33, 40]])
    dtype = mostly(FLOATS)
    self = draw(shape, dtype, special=special)
    dim = class_dim(self)
    items = [s for d, s in enumerate(shape) if d != dim]
    if chance(3):
        items = items + [2]
    high = shape[dim] + (2 if chance(4) else 0)
    kind = pick.choice([torch.int64, torch.int64, torch.int32])
    target = plain(items, kind if chance(97) else any_dtype(), low=0, high=high,
                   special=False)
    ignored = pick.choice([-100, -100, 0, 2])
    if ignored == -100 and target.numel() and chance(40) and (
            target.dtype in (torch.int64, torch.int32)):
        target.view(-1)[pick.randrange(target.numel())] = -100
    weight = None
    if chance(50):
        weight = plain([shape[dim] + chance(3)],
                       dtype if chance(97) else any_dtype(), special=False)
        weight = weight.abs() if weight.dtype in FLOATS else weight
    return [self, lay(target), weight, pick.randrange(3), ignored]


def draw_nll_backward():
    self, target, weight, reduction, ignored = draw_classes()
    items = list(target.shape) if reduction == 0 else []
    if chance(3):
        items = items + [1]
    return [draw(items, self.dtype), self, target, weight, reduction, ignored,
            torch.tensor(2.5).to(self.dtype)]


def smoothing():
    return pick.choice([0.0, 0.0, 0.1, 0.5, 1.0, 1.5 if chance(20) else 0.25])


def draw_entropy():
    return draw_classes(False) + [smoothing()]


def draw_loss():
    made = draw_entropy()
    if chance(30):
        made[1] = draw(list(made[0].shape), made[0].dtype, special=False)
        made[4] = -100 if chance(95) else 1
    return made


def draw_entropy_backward():
    self, target, weight, reduction, ignored, smooth = draw_entropy()
    if self.dtype not in FLOATS:
        self = torch.randn(self.shape)
        weight = weight if weight is None else weight.to(torch.float32)
    if smooth > 1:
        smooth = 0.0
    items = list(target.shape) if reduction == 0 else []
    grad = draw(items, self.dtype, special=False)
    try:
        lse, total = cross_entropy_forward(self, target, weight, reduction,
                                           ignored, smooth)[1:]
    except (RuntimeError, IndexError):
        return draw_entropy_backward()
    return [grad, self, target, weight, lse, total, reduction, ignored, smooth]


DRAW = {"nll_loss": draw_classes, "nll_loss_backward": draw_nll_backward,
        "cross_entropy_forward": draw_entropy, "cross_entropy_loss": draw_loss,
        "cross_entropy_backward": draw_entropy_backward}
EXPLAINED = []


# ---- Layouts -----------------------------------------------------------------

def classes():
    shape = pick.choice([[8, 4], [6, 8], [5, 4], [4, 4, 6]])
    self = small(*shape)
    items = [s for d, s in enumerate(shape) if d != 1]
    weight = small(shape[1], low=1) if pick.randrange(2) else None
    return [self, torch.randint(0, shape[1], items), weight,
            pick.randrange(3), pick.choice([-100, 2])]


def nll_backward_call():
    self, target, weight, reduction, ignored = classes()
    grad = small(*(target.shape if reduction == 0 else []))
    return [grad, self, target, weight, reduction, ignored,
            torch.tensor(4.0)]


CALLS = {"nll_loss": classes, "nll_loss_backward": nll_backward_call,
         "cross_entropy_loss": lambda: classes() + [
             pick.choice([0.0, 0.25])]}
LAYOUTS_EXPLAINED = [
    ({"nll_loss", "cross_entropy_loss"}, r"more: R.*, not .*P\(avg\)", any_case,
     lying("nll_loss", lambda: [small(8, 4), torch.arange(8) % 4,
                                small(4, low=1), 1, -100], "S(0)", "S(0)",
           "R"),
     "a mean divides sums of all ranks; PyTorch takes the average of means of "
     "parts, which weigh different amounts"),
]
LAYOUTS_LEFT_OUT = {
    "cross_entropy_forward": "PyTorch has none; cross_entropy_loss is compared",
    "cross_entropy_backward": "PyTorch has none",
}
