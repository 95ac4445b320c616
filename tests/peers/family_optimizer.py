# tests/peers/family_optimizer.py - steps of optimisers, scaled gradients.
# SPDX-License-Identifier: Apache-2.0

from ops_calls import FLOATS
from ops_draw import chance, draw_shape, lay, pick, plain
import torch

aten = torch.ops.aten


# ---- PyTorch's ---------------------------------------------------------------

def own(tensor):
    """PyTorch's steps want all tensors to lie alike."""
    return tensor.detach().clone(memory_format=torch.contiguous_format)


def adam(self, grad, mean, square, largest, step, decoupled, **options):
    made = [own(t) for t in (self, mean, square)]
    most = [] if largest is None else [own(largest)]
    run = aten._fused_adamw_ if decoupled else aten._fused_adam_
    run([made[0]], [own(grad)], [made[1]], [made[2]], most,
        [torch.tensor(float(step))], amsgrad=bool(most), **options)
    return made + most


def sgd(self, grad, buffer, **options):
    """PyTorch 2.13 computes something else with halves: in f32, then."""
    if self.dtype in (torch.float16, torch.bfloat16):
        made = sgd(self.float(), grad.float(),
                   None if buffer is None else buffer.float(), **options)
        return [t.to(self.dtype) for t in made]
    made = [own(self)] + ([] if buffer is None else [own(buffer)])
    aten._fused_sgd_([made[0]], [own(grad)], made[1:], **options)
    return made


def unscale(self, inverse):
    made, found = own(self), torch.zeros(())
    aten._amp_foreach_non_finite_check_and_unscale_(
        [made], found, torch.tensor(inverse))
    return [made, found]


def update(self, tracker, found, growth, backoff, interval):
    made = [own(self), own(tracker)]
    aten._amp_update_scale_(*made, own(found), growth, backoff, interval)
    return made


REFERENCE = {"adam_step": adam, "sgd_step": sgd, "amp_unscale": unscale,
             "amp_update_scale": update}
IN_PLACE = dict(REFERENCE)


def sizes(case, theirs):
    """A parameter is as exact as it was, and so are moments."""
    found = [t.double().abs().nan_to_num(0, 0, 0).max()
             for t in case["args"][:5]
             if isinstance(t, torch.Tensor) and t.numel()]
    found = [one + one * one for one in found]
    return theirs.abs().double() + max(found + [torch.tensor(0.0).double()])


BOUND = {"adam_step": sizes, "sgd_step": sizes}
ROUND = {"amp_unscale", "amp_update_scale"}


# ---- Arguments ---------------------------------------------------------------

def alike(count, positive=()):
    """Tensors of one dtype and one shape, however they lie."""
    shape, dtype = draw_shape(), pick.choice(FLOATS)
    made = [torch.randn(shape).to(dtype) for _ in range(count)]
    return [lay(t.abs() if i in positive else t) for i, t in enumerate(made)]


def draw_adam():
    made = alike(5, (3, 4))
    if chance(50):
        made[4] = None
    return made + [
        float(pick.randint(1, 50)), pick.choice([0.001, 0.5]),
        pick.choice([0.9, 0.25]), pick.choice([0.999, 0.5]),
        pick.choice([0.0, 0.25]), pick.choice([1e-8, 1e-3]), chance(50),
        chance(30)]


def draw_sgd():
    made = alike(3)
    momentum = pick.choice([0.0, 0.9, 0.5])
    if momentum == 0:
        made[2] = None
    return made + [
        pick.choice([0.001, 0.5]), momentum,
        pick.choice([0.0, 0.25]) if momentum else 0.0,
        pick.choice([0.0, 0.25]), momentum != 0 and chance(40), chance(30),
        chance(30)]


def draw_update():
    shape = pick.choice([[], [1]])
    return [torch.full(shape, pick.choice([2.0, 65536.0, 2.0 ** 127])),
            torch.full(shape, pick.choice([0, 1, 2]), dtype=torch.int32),
            torch.full(shape, pick.choice([0.0, 0.0, 1.0])), 2.0, 0.5, 3]


DRAW = {
    "adam_step": draw_adam, "sgd_step": draw_sgd,
    "amp_unscale": lambda: [lay(plain(draw_shape(), pick.choice(FLOATS))),
                            pick.choice([0.5, 0.125, 3.0, 1.0])],
    "amp_update_scale": draw_update,
}
NOTHING = "it gives nothing; {} is compared, and tests/ranks/ops/training/optimizer.c"
LEFT_OUT = {
    "fused_adam": NOTHING.format("adam_step"),
    "fused_adamw": NOTHING.format("adam_step"),
    "fused_sgd": NOTHING.format("sgd_step"),
    "amp_foreach_non_finite_check_and_unscale": NOTHING.format("amp_unscale"),
}
LAYOUTS_LEFT_OUT = {
    name: "PyTorch has it for lists only, and it gives nothing there"
    for name in ["adam_step", "sgd_step", "amp_unscale", "amp_update_scale",
                 *LEFT_OUT]}
