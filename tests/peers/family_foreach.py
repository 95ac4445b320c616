# tests/peers/family_foreach.py - operators over lists of tensors.
# SPDX-License-Identifier: Apache-2.0
"""What they call is compared tensor by tensor elsewhere: lists are of one dtype
and of shapes that fit."""

from ops_calls import FLOATS
from ops_draw import draw_shape, lay, pick, plain
from ops_small import any_case, has_partial, matrix, named, small
import torch

aten = torch.ops.aten

ONE = ["neg", "abs", "sqrt", "rsqrt", "reciprocal", "exp", "log", "tanh",
       "sigmoid", "zero", "sign", "floor", "ceil", "round", "trunc", "frac",
       "expm1", "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos",
       "atan", "sinh", "cosh", "erf", "erfc"]
TWO = ["mul", "div", "maximum", "minimum", "copy", "pow"]
THREE = ["addcmul", "addcdiv", "lerp"]
ALPHA = ["sub"]
SCALAR = {"add_scalar": "add", "sub_scalar": "sub", "div_scalar": "div",
          "pow_scalar": "pow", "clamp_min": "clamp_min",
          "clamp_max": "clamp_max"}
SCALARS = {f"{name}_scalars": name
           for name in ["add", "sub", "mul", "div", "pow", "clamp_min",
                        "clamp_max"]}
MORE = {"lerp_scalar": "lerp", "lerp_scalars": "lerp",
        "addcmul_scalars": "addcmul", "addcdiv_scalars": "addcdiv"}
TENSOR = {f"{name}_tensor": name for name in ["add", "mul", "div"]}

CALLED = {**{name: name for name in ONE + TWO + THREE + ALPHA}, **SCALAR,
          **SCALARS, **TENSOR, **MORE}


def base(name):
    return getattr(aten, "_foreach_" + CALLED[name])


def over(name):
    """In place, and give what was written."""
    run = getattr(aten, f"_foreach_{CALLED[name]}_")

    def call(self, *rest, **options):
        run(self, *rest, **options)
        return self
    return call


REFERENCE = {f"foreach_{name}": base(name) for name in CALLED}
REFERENCE["get_total_norm"] = (
    lambda tensors, norm_type, error_if_nonfinite:
    torch.nn.utils.get_total_norm(tensors, norm_type, error_if_nonfinite))
IN_PLACE = {f"foreach_{name}": over(name) for name in CALLED}
IN_PLACE |= {
    "foreach_add": lambda self, other, alpha: (
        aten._foreach_add_(self, other, alpha=alpha), self)[1],
    "foreach_mul_scalar": lambda self, other: (
        aten._foreach_mul_(self, other), self)[1]}
REFERENCE["foreach_pow_base"] = aten._foreach_pow
ATEN = {"foreach_norm": "_foreach_norm"}
EXACT = {"foreach_neg", "foreach_abs", "foreach_maximum", "foreach_minimum",
         "foreach_zero", "foreach_copy", "foreach_sign", "foreach_floor",
         "foreach_ceil", "foreach_round", "foreach_trunc", "foreach_frac",
         "foreach_clamp_min", "foreach_clamp_max", "foreach_clamp_min_scalars",
         "foreach_clamp_max_scalars"}
NORMS = {"foreach_norm", "get_total_norm"}


def largest(case, theirs):
    """Sums are as exact as the largest of what is added."""
    sizes = [torch.tensor(0.0, dtype=torch.float64)]
    for list_ in case["args"]:
        for one in list_ if isinstance(list_, list) else [list_]:
            if isinstance(one, torch.Tensor) and one.numel():
                sizes.append(one.double().abs().nan_to_num(0, 0, 0).max())
            elif isinstance(one, (int, float)):
                sizes.append(torch.tensor(float(abs(one))).double()
                             .nan_to_num(0, 0, 0))
    return theirs.abs().double() + max(sizes)


BOUND = {f"foreach_{name}": largest for name in
         ["add_scalar", "add_scalars", "add_tensor", "sub", "sub_scalar",
          "sub_scalars", *THREE, *MORE]}


# ---- Arguments ---------------------------------------------------------------

def lists(count, **how):
    """Lists of tensors of one dtype, of the same shapes."""
    dtype = pick.choice(FLOATS)
    shapes = [draw_shape() for _ in range(pick.randint(1, 4))]
    return [[lay(plain(shape, dtype, **how)) for shape in shapes]
            for _ in range(count)]


def number():
    return pick.choice([2, -3, 0.5, 1.25, 7])


def with_number():
    return lists(1) + [number()]


def with_numbers():
    of = lists(1)
    return of + [[number() for _ in of[0]]]


def with_tensor():
    of = lists(1, special=False)
    return of + [plain([], of[0][0].dtype, special=False)]


def quotients():
    """Divisors are not near 0."""
    a, b, c = lists(3, special=False)
    return [a, b, [t.sign() * (t.abs() + 1) for t in c], number()]


DRAW = {
    **{f"foreach_{name}": lambda: lists(1) for name in ONE},
    **{f"foreach_{name}": lambda: lists(2) for name in TWO},
    "foreach_sub": lambda: lists(2) + [pick.choice([1, 2, -1, 0.5])],
    **{f"foreach_{name}": with_number for name in SCALAR},
    **{f"foreach_{name}": with_numbers for name in SCALARS},
    **{f"foreach_{name}": lambda: lists(3, special=False) for name in THREE},
    "foreach_addcmul": lambda: lists(3, special=False) + [number()],
    "foreach_addcdiv": quotients,
    "foreach_addcmul_scalars": lambda: (
        lambda of: of + [[number() for _ in of[0]]])(lists(3, special=False)),
    "foreach_addcdiv_scalars": lambda: (
        lambda of: of[:3] + [[of[3]] * len(of[0])])(quotients()),
    "foreach_lerp_scalar": lambda: lists(2, special=False) + [
        pick.choice([0.25, 0.75])],
    "foreach_lerp_scalars": lambda: (
        lambda of: of + [[pick.choice([0.25, 0.75]) for _ in of[0]]])(
            lists(2, special=False)),
    "foreach_pow": lambda: (lambda of: [of[0], [t * 0 + 2 for t in of[1]]])(
        lists(2, special=False)),
    "foreach_pow_base": lambda: [pick.choice([2, 0.5])] + lists(
        1, special=False),
    "foreach_pow_scalar": lambda: lists(1) + [pick.choice([2, 3])],
    "foreach_pow_scalars": lambda: (
        lambda of: of + [[pick.choice([2, 3]) for _ in of[0]]])(lists(1)),
    **{f"foreach_{name}": with_tensor for name in ["mul_tensor", "div_tensor"]},
    "foreach_add_tensor": lambda: with_tensor() + [pick.choice([1, 2])],
    "foreach_norm": lambda: lists(1, special=False) + [
        pick.choice([2.0, 1.0, 3.0, 0.0]), None],
    "get_total_norm": lambda: [
        [t.float() for t in lists(1, special=False)[0]],
        pick.choice([2.0, 1.0, 3.0]), False],
}
LEFT_OUT = {
    "clip_grad_norm": "it gives the norm alone, which get_total_norm is",
    "clip_grads_with_norm": "it gives nothing; tests/ranks/ops/training/foreach.c",
}

# ---- Layouts -----------------------------------------------------------------

CALLS = {
    **{f"foreach_{name}": lambda: [[matrix()]] for name in ONE if name != "zero"},
    **{f"foreach_{name}": lambda: [[small(8, 4, low=1)]]
       for name in ["sqrt", "rsqrt", "reciprocal", "log"]},
    **{f"foreach_{name}": lambda: (lambda a: [[a], [a.roll(1)]])(matrix())
       for name in ["mul", "maximum", "minimum"]},
    "foreach_div": lambda: [[matrix() * 0 + 2]] * 2,
    "foreach_sub": lambda: (lambda a: [[a], [a.roll(1)], 1])(matrix()),
    **{f"foreach_{name}": lambda: [[matrix()], 2] for name in SCALAR},
    **{f"foreach_{name}": lambda: [[matrix()], [2.0]] for name in SCALARS},
    **{f"foreach_{name}": lambda: [[matrix() / 8]]
       for name in ["asin", "acos", "log1p"]},
    **{f"foreach_{name}": lambda: [[small(8, 4, low=1)]]
       for name in ["log2", "log10"]},
    "foreach_addcmul": lambda: (
        lambda a: [[a], [a.roll(1)], [a.roll(2)], 2])(matrix()),
    "foreach_lerp_scalar": lambda: (lambda a: [[a], [a.roll(1)], 0.5])(
        matrix()),
    "foreach_norm": lambda: [[matrix()], 2.0, None],
}
LAYOUTS_EXPLAINED = [
    ({"foreach_norm"}, "(more|other): .*, not .*norm", any_case,
     named("foreach_norm", lambda: [[small(8, 4)], 2.0, None], "S(0)"),
     "norms over shards are one all-reduce, and no kind of partial value"),
    ({"foreach_norm"}, "more: .*reduce-scatter:., not .* by 1", has_partial,
     named("foreach_norm", lambda: [[small(6, 6)], 2.0, None], "P(sum)"),
     "values are reduced to where they are powered, and what is left again"),
    ({"foreach_sign"}, "more: .*, not .* by 0", has_partial,
     named("foreach_sign", lambda: [[small(8, 4)]], "P(max)"),
     "NaN wins among parts and is a number here; PyTorch does not think of it"),
]
LAYOUTS_LEFT_OUT = {
    **{f"foreach_{name}": "a tensor for all of a list lies where they do; add, "
       "mul and div are compared" for name in TENSOR},
    **{f"foreach_{name}": "the forms with one number are compared"
       for name in ["addcmul_scalars", "addcdiv_scalars", "lerp_scalars"]},
    **{f"foreach_{name}": f"{name} is compared"
       for name in ["copy", "pow", "pow_base", "lerp", "addcdiv", "zero"]},
    "get_total_norm": "PyTorch has no operator for it",
    "clip_grad_norm": "PyTorch has no operator for it",
    "clip_grads_with_norm": "PyTorch has no operator for it",
}
