# tests/peers/family_random.py - operators that draw random numbers.
# SPDX-License-Identifier: Apache-2.0

from ops_calls import FLOATS
from ops_draw import draw, draw_shape, pick
from ops_small import matrix
import torch

CHANCE = ("what is drawn differs; tests/ranks/ops/random/random.c knows what it has "
          "to be")
DRAWN = ["normal", "uniform", "bernoulli", "bernoulli_tensor",
         "bernoulli_scalar", "exponential", "log_normal", "geometric", "cauchy",
         "random", "trunc_normal", "native_dropout", "multinomial"]
LEFT_OUT = {name: CHANCE for name in DRAWN}
LAYOUTS_LEFT_OUT = {name: CHANCE for name in DRAWN}

ROUND = {"native_dropout_backward"}


def draw_backward():
    shape = draw_shape()
    return [draw(shape, pick.choice(FLOATS)), draw(shape, torch.bool),
            pick.choice([2.0, 1.25, -0.5])]


DRAW = {"native_dropout_backward": draw_backward}
CALLS = {"native_dropout_backward":
         lambda: (lambda a: [a, a > 0, 2.0])(matrix())}
