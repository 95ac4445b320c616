# tests/peers/family_loss.py - losses of classes.
# SPDX-License-Identifier: Apache-2.0
"""See ops_families.py.  Gradients of what PyTorch has no function for are those
of its autograd."""

from ops_calls import FLOATS, has_dtype, tensors_of
from ops_draw import any_dtype, chance, draw, extent, lay, mostly, pick, plain
from ops_named import named, zeros
from ops_small import any_case, has_partial, small
from ops_small import named as lying
import torch

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
    ({"cross_entropy_loss"}, "more: .*by all-reduce:3, not", any_case,
     lying("cross_entropy_loss", lambda: [
         small(8, 4), torch.arange(8) % 4, None, 2, -100, 0.0], "S(1)", "R"),
     "three small all-reduces, and logits stay where they are"),
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


# ---- Losses of single elements -----------------------------------------------

def by_autograd(loss):
    """The gradient of self that PyTorch has no function for."""
    def made(grad, self, target, *more):
        with torch.enable_grad():
            wide = torch.broadcast_shapes(self.shape, target.shape)
            leaf = self.detach().expand(wide).clone().requires_grad_()
            given = loss(leaf, target, *more)
            return torch.autograd.grad(given, leaf, grad.expand(
                given.shape).to(given.dtype))[0]
    return made


REFERENCE.update({
    "l1_loss_backward": by_autograd(aten.l1_loss),
    "binary_cross_entropy_logits_backward":
        lambda grad, self, target, weight, pos, reduction: by_autograd(
            lambda x, y: aten.binary_cross_entropy_with_logits(
                x, y, weight, pos, reduction))(grad, self, target),
    "kl_div_backward":
        lambda grad, self, target, reduction, log_target: by_autograd(
            lambda x, y: aten.kl_div(x, y, reduction, log_target=log_target))(
                grad, self, target),
    "binary_cross_entropy":
        lambda self, target, weight, reduction, **out:
        aten.binary_cross_entropy(self, target, weight, reduction, **out),
    "binary_cross_entropy_backward":
        lambda grad, self, target, weight, reduction:
        aten.binary_cross_entropy_backward(grad, self, target, weight,
                                           reduction),
})
ELEMENTS = {"mse_loss": [], "l1_loss": [], "smooth_l1_loss": [1.0, 0.5, 3.0],
            "huber_loss": [1.0, 0.5, 3.0], "kl_div": [False, True]}
SUMMED = set(ELEMENTS) | {"binary_cross_entropy",
                          "binary_cross_entropy_with_logits"}


def slopes_of_floats(grad, self, target, reduction, beta, **out):
    """Of integers PyTorch divides by the integer part of beta, and dies."""
    if not torch.promote_types(self.dtype, target.dtype).is_floating_point:
        raise RuntimeError("only floats")
    return aten.smooth_l1_loss_backward(grad, self, target, reduction, beta,
                                        **out)


REFERENCE["smooth_l1_loss_backward"] = slopes_of_floats


def elements_bound(case, theirs):
    """What is added up may cancel in kl_div alone."""
    bound = theirs.abs().to(torch.float64)
    sizes = [largest(t) for t in case["args"][:2]]
    if case["name"].startswith(("kl_div", "binary")):
        bound = bound + (1 + max(sizes)) * (1 + max(sizes)) * (
            case["args"][0].numel() if case["args"][-1] == 2 else 1)
    return bound + 2 * max(sizes) * (max(sizes) if "mse" in case["name"] else 1)


def slopes_bound(case, theirs):
    return theirs.abs().to(torch.float64) + largest(case["args"][0]) * (
        4 * max(1, largest(case["args"][1]), largest(case["args"][2])))


for name in SUMMED:
    BOUND[name] = elements_bound
for name in ["mse_loss_backward", "l1_loss_backward", "huber_loss_backward",
             "smooth_l1_loss_backward", "kl_div_backward",
             "binary_cross_entropy_logits_backward"]:
    BOUND[name] = slopes_bound
NORMS |= SUMMED | {f"{name}_backward" for name in ELEMENTS} | {
    "binary_cross_entropy_backward", "binary_cross_entropy_logits_backward"}


def draw_two(low=None):
    shape = [extent() for _ in range(pick.randint(0, 3))]
    if chance(10):
        shape = [pick.choice([33, 1031, 2100])]
    other = [1 if chance(20) else size for size in shape]
    dtype = mostly(FLOATS)
    second = dtype if chance(90) else any_dtype()
    a, b = draw(shape, dtype, special="few"), draw(other, second,
                                                   special="few")
    if low is not None:  # probabilities
        a, b = (t.abs().clamp(max=1) if t.dtype in FLOATS else t
                for t in (a, b))
    return [a, b]


def draw_elements(name):
    def made():
        more = [pick.choice(ELEMENTS[name])] if ELEMENTS[name] else []
        return [*draw_two(0 if name == "kl_div" else None), pick.randrange(3),
                *more]
    return made


def draw_slopes(name):
    def made():
        self, target, reduction, *more = draw_elements(name)()
        wide = torch.broadcast_shapes(self.shape, target.shape)
        grad = draw(list(wide) if reduction == 0 else [],
                    self.dtype if chance(97) else any_dtype(), special=False)
        return [grad, self, target, reduction, *more]
    return made


def draw_binary(count, logits):
    def made():
        dtype = mostly(FLOATS)
        shape = [extent() for _ in range(pick.randint(0, 3))]
        self = draw(shape, dtype, special=False)
        target = draw(shape, dtype, special=False)
        if dtype in FLOATS:
            target = target.abs().clamp(max=1)
            self = self if logits else self.abs().clamp(max=1)
        weights = [draw(shape, dtype, special=False) if chance(40) else None
                   for _ in range(count)]
        return [self, target, *weights, pick.randrange(3)]
    return made


def draw_binary_backward(count, logits):
    def made():
        args = draw_binary(count, logits)()
        shape = list(args[0].shape) if args[-1] == 0 else []
        return [draw(shape, args[0].dtype, special=False), *args]
    return made


DRAW.update({name: draw_elements(name) for name in ELEMENTS})
DRAW.update({f"{name}_backward": draw_slopes(name) for name in ELEMENTS})
DRAW.update({
    "binary_cross_entropy": draw_binary(1, False),
    "binary_cross_entropy_backward": draw_binary_backward(1, False),
    "binary_cross_entropy_with_logits": draw_binary(2, True),
    "binary_cross_entropy_logits_backward": draw_binary_backward(2, True),
})


def pair(low=-3):
    shape = pick.choice([[8, 4], [6, 8], [5, 4]])
    return [small(*shape), small(*shape, low=low)]


CALLS.update({
    "mse_loss": lambda: pair() + [pick.randrange(3)],
    "l1_loss": lambda: pair() + [pick.randrange(3)],
    "smooth_l1_loss": lambda: pair() + [pick.randrange(3), 1.0],
    "huber_loss": lambda: pair() + [pick.randrange(3), 1.0],
    "kl_div": lambda: pair(1) + [pick.randrange(3), False],
    "binary_cross_entropy_with_logits": lambda: pair() + [
        None, None, pick.randrange(3)],
    "mse_loss_backward": lambda: [torch.tensor(2.0), *pair(), 1],
    "smooth_l1_loss_backward": lambda: [torch.tensor(2.0), *pair(), 1, 1.0],
    "huber_loss_backward": lambda: [torch.tensor(2.0), *pair(), 2, 1.0],
})
LAYOUTS_EXPLAINED += [
    (set(CALLS), "more: ", has_partial,
     lying("l1_loss", lambda: [small(8, 4), small(8, 4), 0], "P(sum)",
           "P(sum)"),
     "in one step, both are whole; PyTorch's steps subtract parts first"),
]
LAYOUTS_LEFT_OUT.update({
    "l1_loss_backward": "PyTorch has none",
    "kl_div_backward": "PyTorch has none",
    "binary_cross_entropy_logits_backward": "PyTorch has none",
    "binary_cross_entropy": "partial inputs are no probabilities",
    "binary_cross_entropy_backward": "partial inputs are no probabilities",
})

LOSSES = SUMMED | {name for name in NORMS if name.endswith("_backward")}


def is_mixed(case):
    kinds = {t.dtype for t in tensors_of(case)}
    return len(kinds) > 1 or not kinds <= set(FLOATS)


EXPLAINED += [
    (LOSSES, "(dtype|PyTorch refuses: .*(Found dtype|[Ii]ntegral|dtype|scalar "
     "type|not implemented|bool|result type)|we refuse: .*not supported for dtype)", is_mixed,
     named("huber_loss", zeros("f32", 2), zeros("f64", 2), 2, 1.0),
     "dtypes are promoted, and losses are of floats; in PyTorch some take "
     "that of self, some refuse, some take integers"),
    (SUMMED, "(PyTorch refuses: .*(resize storage|with shape)|we refuse: .*out "
     "(is|has shape)|.*values)",
     lambda case: case["form"] == "out",
     named("huber_loss", zeros("f32", 2), zeros("f32", 2), 2, 1.0, form="out",
           out=zeros("f32", 3)),
     "PyTorch writes elements to out first, and then their sum, for which it "
     "becomes smaller; of none it is 0, and not NaN"),
    ({"binary_cross_entropy_backward"}, ".*values",
     lambda case: has_dtype(case, "f16"),
     named("binary_cross_entropy_backward", zeros("f16"), zeros("f16"),
           zeros("f16"), None, 1),
     "the least divisor, 1e-12, is 0 in f16, which PyTorch computes in"),
]
