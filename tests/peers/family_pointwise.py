# tests/peers/family_pointwise.py - operators that work element by element.
# SPDX-License-Identifier: Apache-2.0

import math

from ops_calls import FLOATS, has_dtype, tensors_of
from ops_compare import absolute
from ops_draw import (any_dtype, binary, broadcast_shapes, chance, draw,
                      draw_alpha, draw_number, draw_shape, mostly, pick,
                      second_dtype, unary, with_number)
from ops_named import (INF, NAN, any_case, is_empty, is_finite, named, numbers,
                       zeros)
from ops_small import columns, has_partial, matrix
from ops_small import named as layout_named
from ops_small import rows, small, two
import torch
import torch.nn.functional as functional

aten = torch.ops.aten
INTEGERS = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8,
            torch.bool]

# ---- Names -------------------------------------------------------------------

REAL = ["exp2", "expm1", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
        "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "sinc",
        "erf", "erfc", "deg2rad", "rad2deg"]
WHOLE = ["floor", "ceil", "trunc", "frac", "sign", "sgn", "positive", "isnan",
         "isinf", "isfinite", "isposinf", "isneginf", "signbit"]
DIVISIONS = ["remainder", "fmod", "floor_divide"]
BITS = ["bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift",
        "bitwise_right_shift"]
OF_TWO = ["atan2", "hypot", "logaddexp", "logaddexp2", "xlogy", "fmax", "fmin",
          "copysign", "logical_xor", "clamp_min_tensor", "clamp_max_tensor",
          "pow"]
ACTIVATIONS = ["mish", "selu", "hardsigmoid", "hardswish", "log_sigmoid",
               "softsign", "relu6"]
GRADIENTS = ["sigmoid", "tanh", "silu", "mish", "hardswish", "hardsigmoid",
             "log_sigmoid"]

ATEN = {"pow_base": "pow", "clamp_tensor": "clamp", "lerp_scalar": "lerp",
        "clamp_min_tensor": "clamp_min", "clamp_max_tensor": "clamp_max",
        "masked_fill_tensor": "masked_fill",
        **{f"{name}_scalar": name for name in DIVISIONS + BITS + ["copysign"]}}


REFERENCE = {
    "div_mode": lambda a, b, mode, **out: torch.div(
        a, b, rounding_mode=mode, **out),
    "div_mode_scalar": lambda a, b, mode, **out: aten.div(
        a, b, rounding_mode=mode, **out),
    "nan_to_num": lambda self, nan, posinf, neginf, **out: torch.nan_to_num(
        self, nan, None if math.isinf(posinf) else posinf,
        None if math.isinf(neginf) else neginf, **out),
    "logit": lambda self, eps, **out: torch.logit(
        self, None if eps < 0 else eps, **out),
    "logit_backward": lambda grad, self, eps, **out: aten.logit_backward(
        grad, self, None if eps < 0 else eps, **to_grad(out)),
    "where_scalar_self": aten.where, "where_scalar_other": aten.where,
    "softsign": functional.softsign,
    "round": lambda self, decimals, **out: (
        torch.round(self, decimals=decimals, **out) if decimals
        else torch.round(self, **out)),
    "log_sigmoid_backward": lambda grad, self: aten.log_sigmoid_backward(
        grad, self, torch.exp(-self.abs())),
    "hardshrink_backward": aten.hardshrink_backward,
}


def to_grad(out):
    return {"grad_input": out["out"]} if "out" in out else {}


def gradient(name):
    def run(*args, out=None, **options):
        function = getattr(aten, name)
        if out is not None:
            options["grad_input"] = out
        return function(*args, **options)
    return run


for name in ["sigmoid", "tanh", "silu", "gelu", "hardsigmoid", "threshold",
             "leaky_relu", "elu", "softplus", "hardtanh", "softshrink"]:
    REFERENCE[f"{name}_backward"] = gradient(f"{name}_backward")
def over(function):
    """In place, which PyTorch has no form for."""
    def run(self, other):
        result = function(self, other)
        if result.shape != self.shape or not torch.can_cast(
                result.dtype, self.dtype):
            raise RuntimeError("self does not hold the result")
        return self.copy_(result)
    return run


IN_PLACE = {
    "maximum": over(torch.maximum), "minimum": over(torch.minimum),
    "div_mode": lambda a, b, mode: a.div_(b, rounding_mode=mode),
    "div_mode_scalar": lambda a, b, mode: a.div_(b, rounding_mode=mode),
    "nan_to_num": lambda self, nan, posinf, neginf: self.nan_to_num_(
        nan, None if math.isinf(posinf) else posinf,
        None if math.isinf(neginf) else neginf),
    "logit": lambda self, eps: self.logit_(None if eps < 0 else eps),
    "round": lambda self, decimals: (self.round_(decimals=decimals)
                                     if decimals else self.round_()),
}


# ---- How near ----------------------------------------------------------------

EXACT = {"floor", "ceil", "trunc", "frac", "sign", "positive", "nan_to_num",
         "copysign", "copysign_scalar", "fmax", "fmin", "clamp", "clamp_min",
         "clamp_max", "clamp_tensor", "clamp_min_tensor", "clamp_max_tensor",
         "where_scalar_self", "where_scalar_other", "masked_fill",
         "masked_fill_tensor", "relu6", "hardtanh", "threshold",
         "threshold_backward", "hardtanh_backward", "hardshrink",
         "hardshrink_backward", "softshrink_backward", "fmod", "fmod_scalar"}
ROUND = {"rsub", "deg2rad", "rad2deg"}


def sizes(tensor):
    return absolute(tensor).nan_to_num(0, 0, 0)


def largest(*tensors):
    """The largest absolute value, as a 0-d tensor."""
    found = [sizes(t).max() for t in tensors if t.numel()]
    return max([torch.tensor(0.0, dtype=torch.float64), *found])


def of_inputs(case, theirs):
    """What is added up may cancel."""
    tensors = [t for t in case["args"] if isinstance(t, torch.Tensor)]
    numbers = [abs(float(t)) for t in case["args"]
               if isinstance(t, (int, float)) and math.isfinite(t)]
    size = largest(*tensors)
    return absolute(theirs) + size + size * max([0.0, *numbers])


def of_gradient(case, theirs):
    """Derivatives are of the size of 1, and cancel."""
    self = case["args"][-1 if case["name"] == "elu_backward" else 1]
    return (absolute(theirs)
            + sizes(case["args"][0]) * (1 + sizes(self)).square())


def of_products(case, theirs):
    tensors = [sizes(t) for t in case["args"][:3]]
    value = case["args"][3]
    made = (tensors[1] * tensors[2] if case["name"] == "addcmul"
            else (tensors[1] / tensors[2]).nan_to_num(0, 0, 0))
    return tensors[0] + abs(value) * made


BOUND = {name: of_inputs for name in
         ["lerp", "lerp_scalar", "logaddexp", "logaddexp2", "remainder",
          "remainder_scalar", "rsub", "softshrink", "elu", "celu", "selu"]}
BOUND.update({f"{name}_backward": of_gradient for name in
              GRADIENTS + ["gelu", "softplus", "elu", "logit"]})
BOUND.update({"addcmul": of_products, "addcdiv": of_products,
              # Near 1/2 it is near 0, and the quotient has been rounded.
              "logit": lambda case, theirs: absolute(theirs) + 1,
              "sinc": lambda case, theirs: absolute(theirs) + 1})


# ---- Arguments ---------------------------------------------------------------

def of_floats(*more):
    return lambda: [draw(draw_shape(), mostly(FLOATS)), *[m() for m in more]]


def near_one():
    """Numbers of which many are between -1 and 1."""
    self = unary()[0]
    if self.is_floating_point() and chance(70):
        self = self / 4
    return [self]


def least_of(tensor):
    """Is there an integer whose negative the dtype does not hold?"""
    return tensor.dtype in INTEGERS[:4] and bool(
        (tensor == torch.iinfo(tensor.dtype).min).any())


def divisors(name):
    """Mostly without 0, of which integers are refused."""
    def made():
        self, other = binary()
        if not other.dtype.is_floating_point:
            if chance(92):
                other = torch.where(other == 0, torch.ones_like(other), other)
            if least_of(self):  # PyTorch dies of what -1 makes of it
                other = torch.where(other == -1, torch.ones_like(other), other)
        return [self, other]
    return made


def bits():
    a, b = broadcast_shapes(2)
    dtype = mostly(INTEGERS)
    return [draw(a, dtype), draw(b, dtype if chance(60) else mostly(INTEGERS))]


def bits_number():
    return [draw(draw_shape(), mostly(INTEGERS)),
            pick.choice([0, 1, 2, 5, -3, 7, 63, True, 100, 2.5])]


def shifts():
    self, other = bits()
    return [self, other]


def whole_number():
    return pick.choice([0, 1, 2, -3, 5, 100, 0.5, -1.5, 2.0, True])


def same_dtype(count, dtypes, *more):
    """Tensors that broadcast, of one dtype, mostly."""
    def made():
        dtype = mostly(dtypes)
        shapes = broadcast_shapes(count)
        return [draw(s, dtype if chance(96) else any_dtype())
                for s in shapes] + [m() for m in more]
    return made


def scaled():
    dtype = any_dtype()
    return [draw(s, dtype if chance(80) else any_dtype())
            for s in broadcast_shapes(3)] + [draw_alpha()]


def draw_clamp_tensor():
    made = same_dtype(3, FLOATS + [torch.int32, torch.int64, torch.uint8])()
    for place in (1, 2):
        if chance(20):
            made[place] = None
    return made


def draw_where_number(first):
    def made():
        c, a = broadcast_shapes(2)
        condition = draw(c, torch.bool if chance(90) else any_dtype())
        self = draw(a, any_dtype())
        return ([condition, draw_number(), self] if first
                else [condition, self, draw_number()])
    return made


def draw_fill(tensor):
    def made():
        a, c = broadcast_shapes(2)
        dtype = any_dtype()
        value = draw_number() if chance(60) else 1
        if tensor:
            value = draw([] if chance(95) else [1], second_dtype(dtype))
        return [draw(a, dtype), draw(c, torch.bool if chance(90)
                                     else any_dtype()), value]
    return made


def draw_gradient(*more, dtypes=None):
    def made():
        dtype = mostly(dtypes or FLOATS)
        return [draw(s, dtype) for s in broadcast_shapes(2)] + [
            m() for m in more]
    return made


def draw_elu_backward():
    grad, self = draw_gradient()()
    return [grad, pick.choice([1.0, 0.5, -1.0 if chance(20) else 2.0]),
            pick.choice([1.0, 2.0]), pick.choice([1.0, 0.5]), chance(40), self]


def draw_mode(made):
    return lambda: made() + [pick.choice(["floor", "trunc", "floor", "trunc",
                                          "up" if chance(20) else "floor"])]


def draw_divisor():
    self, other = with_number()
    return [self, other or (0 if chance(20) else 2)]


def choice(*values):
    return lambda: pick.choice(values)


DRAW = {
    **{name: near_one for name in REAL},
    **{name: unary for name in WHOLE},
    **{name: binary for name in OF_TWO},
    **{name: divisors(name) for name in DIVISIONS},
    **{f"{name}_scalar": draw_divisor for name in DIVISIONS},
    **{name: bits for name in BITS},
    **{f"{name}_scalar": bits_number for name in BITS},
    **{name: of_floats() for name in ACTIVATIONS},
    **{f"{name}_backward": draw_gradient() for name in GRADIENTS},
    "rsub": lambda: binary() + [draw_alpha()],
    "bitwise_not": lambda: [draw(draw_shape(), mostly(INTEGERS))],
    "copysign_scalar": with_number,
    "pow_base": lambda: with_number()[::-1],
    "lerp": same_dtype(3, FLOATS + [torch.complex64]),
    "lerp_scalar": same_dtype(2, FLOATS + [torch.complex64],
                              choice(0, 1, 0.25, 0.75, 2, -0.5)),
    "addcmul": scaled, "addcdiv": scaled,
    "div_mode": draw_mode(divisors("div")),
    "div_mode_scalar": draw_mode(draw_divisor),
    "clamp": lambda: [unary()[0], whole_number(), whole_number()],
    "clamp_min": lambda: [unary()[0], whole_number()],
    "clamp_max": lambda: [unary()[0], whole_number()],
    "clamp_tensor": draw_clamp_tensor,
    "where_scalar_self": draw_where_number(True),
    "where_scalar_other": draw_where_number(False),
    "masked_fill": draw_fill(False), "masked_fill_tensor": draw_fill(True),
    "round": lambda: [unary()[0], pick.choice([0, 0, 0, 1, 2, -1])],
    "nan_to_num": lambda: [unary()[0], pick.choice([0.0, 0.0, 2.5]),
                           pick.choice([math.inf, 7.0]),
                           pick.choice([-math.inf, -7.0])],
    "logit": lambda: [near_one()[0], pick.choice([-1.0, -1.0, 0.0, 0.25])],
    "relu6": unary,
    "hardtanh": lambda: [unary()[0], pick.choice([-1, 0, -0.5]),
                         pick.choice([1, 2, 0.5])],
    "threshold": lambda: [unary()[0], whole_number(), whole_number()],
    "softplus": of_floats(choice(1.0, 0.5, 2.0, -1.0), choice(20.0, 1.0)),
    "leaky_relu": of_floats(choice(0.01, 0.5, -1.0)),
    "elu": of_floats(choice(1.0, 0.5), choice(1.0, 2.0), choice(1.0, 0.5)),
    "celu": of_floats(choice(1.0, 0.5, 0.0, -2.0)),
    "hardshrink": of_floats(choice(0.5, 0.0, 2.0, -1.0)),
    "softshrink": of_floats(choice(0.5, 0.0, 2.0, -1.0)),
    "gelu_backward": draw_gradient(choice("none", "tanh", "none", "other")),
    "threshold_backward": draw_gradient(choice(0, 1, 0.5),
                                        dtypes=FLOATS + INTEGERS[:-1]),
    "leaky_relu_backward": draw_gradient(choice(0.5, 0.01, -1.0),
                                         choice(False, True)),
    "elu_backward": draw_elu_backward,
    "softplus_backward": draw_gradient(choice(1.0, 2.0), choice(20.0, 1.0)),
    "hardtanh_backward": draw_gradient(choice(-1, 0), choice(1, 0.5)),
    "hardshrink_backward": draw_gradient(choice(0.5, 0.0)),
    "softshrink_backward": draw_gradient(choice(0.5, 0.0)),
    "logit_backward": draw_gradient(choice(-1.0, 0.25)),
}


# ---- Differences that are meant ----------------------------------------------

def has_nan(case):
    return any(t.isnan().any() for t in tensors_of(case))


def is_in_place(case):
    return case["form"] == "in_place"


EXPLAINED = [
    (None, "we refuse: .*cannot be represented in dtype [iu]", any_case,
     named("clamp_max", zeros("u8", 2), -3),
     "PyTorch refuses some numbers that a dtype of integers does not hold, and "
     "takes the low bits of others"),
    (None, "PyTorch refuses: .*non-boolean outputs",
     lambda case: case["form"] == "out",
     named("signbit", zeros("f32", 2), form="out", out=zeros("i64", 2)),
     "all operators convert to the dtype of out here"),
    ({"where_scalar_self", "where_scalar_other"},
     "we refuse: .*condition is u8", any_case,
     named("where_scalar_other", zeros("u8", 2), zeros("f32", 2), 1),
     "PyTorch takes u8 for bool, and warns that it will not for long"),
    ({"masked_fill", "masked_fill_tensor", "threshold", "nan_to_num"},
     "we refuse: .*is expanded", is_in_place,
     named("masked_fill", lambda: torch.zeros(1).expand(2),
           lambda: torch.zeros(2, dtype=torch.bool), 1, form="in_place"),
     "PyTorch writes to elements that lie in one place, one after another"),
    ({"fmod_scalar", "remainder_scalar", "floor_divide_scalar",
      "div_mode_scalar"}, "we refuse: .*by zero", is_empty,
     named("fmod_scalar", zeros("i32", 0), 0),
     "PyTorch divides only if there is something to divide"),
    ({"addcdiv"}, "PyTorch refuses: .*Integer division", any_case,
     named("addcdiv", zeros("c64", 1), zeros("i16", 1), zeros("i16", 1), 1),
     "integers that are promoted to floats are divided as these"),
    ({"hardsigmoid_backward"}, ".*values", lambda case: has_dtype(case, "f64"),
     named("hardsigmoid_backward", lambda: torch.ones(1, dtype=torch.float64),
           zeros("f64", 1)), "PyTorch's 1/6 is an f32, of f64 as well"),
    ({"hardtanh_backward", "hardshrink_backward", "softshrink_backward",
      "hardswish_backward", "elu_backward", "logit_backward"}, ".*values",
     has_nan,
     named("hardswish_backward", lambda: torch.ones(64),
           lambda: torch.full((64,), NAN)),
     "what PyTorch gives for NaN depends on where it lies: 0, NaN or the "
     "gradient"),
    ({"softsign"}, ".*values", lambda case: not case[
        "args"][0].is_floating_point(),
     named("softsign", numbers("i64", -2 ** 63)),
     "the least integer has no absolute value, but as a float it has"),
    ({"softplus_backward", "lerp", "lerp_scalar"}, ".*values.*inf",
     lambda case: not is_finite(case),
     named("lerp_scalar", numbers("f32", 1.0), numbers("f32", 3e38), -0.5),
     "numbers near the largest one: products overflow, fused ones do not"),
    ({"add", "sub", "rsub"}, ".*values", lambda case: any(
        t.dim() == 0 and bool(sizes(t) > 65504) for t in tensors_of(case))
     and has_dtype(case, "f16"),
     named("sub", numbers("f16", INF), lambda: torch.tensor(2 ** 62), 1),
     "a 0-d tensor is a number; PyTorch's sums, not its products, make "
     "infinity of one that f16 does not hold"),
    ({"div_mode", "div_mode_scalar"}, ".*values", lambda case: case[
        "args"][2] == "trunc" and has_dtype(case, "f16", "bf16"),
     named("div_mode", numbers("f16", *[-25.046875] * 64),
           numbers("f16", *[-0.96337890625] * 64), "trunc", form="in_place"),
     "the quotient is cut before it is rounded, and in PyTorch behind that"),
    ({"logit_backward"}, ".*values.*-inf", lambda case: bool(
        (case["args"][1] == 0).any()),
     named("logit_backward", lambda: torch.ones(64),
           lambda: torch.full((64,), -0.0), -1.0),
     "at -0 PyTorch's vectors give -inf, and one number alone inf, as here"),
    ({"rsub"}, ".*values", lambda case: has_dtype(case, "c64")
     and not is_finite(case),
     named("rsub", numbers("f32", INF), zeros("c64"), 1),
     "PyTorch multiplies infinity by a complex alpha of 1, which gives NaN"),
    ({"clamp_tensor"}, "we refuse: .*not supported for dtype bool", any_case,
     named("clamp_tensor", zeros("bool", 2), None, zeros("bool", 2)),
     "PyTorch refuses bool if there are two bounds; here one is not taken, "
     "either"),
    ({"masked_fill_tensor"}, "PyTorch refuses: .*without overflow", any_case,
     named("masked_fill_tensor", zeros("i8", 2), lambda: torch.zeros(
         2, dtype=torch.bool), lambda: torch.tensor(300)),
     "a tensor is converted as by cast, whatever its value is"),
    ({"remainder", "remainder_scalar", "fmod", "fmod_scalar"},
     ".*values.*not nan", lambda case: has_dtype(case, "f32", "bf16"),
     named("remainder", lambda: torch.full((64,), 3e38),
           lambda: torch.full((64,), 0.3)),
     "PyTorch's vectors give NaN for a quotient that no i32 holds; one number "
     "alone it divides as we do"),
    ({"pow_base"}, "we refuse: .*cannot be stored in out, which is",
     lambda case: case["form"] == "out" and case["args"][0] == 1,
     named("pow_base", 1.0, zeros("f32", 2), form="out", out=zeros("u8", 2)),
     "PyTorch fills out with 1, whatever its dtype is"),
    ({"lerp"}, "(we refuse: .*(weight is c64|not supported for)|dtype)",
     lambda case: case["args"][2].dim() == 0,
     named("lerp", zeros("bf16"), zeros("bf16"), zeros("f64")),
     "the result has the dtype of self; PyTorch promotes a 0-d weight if self "
     "is 0-d"),
    ({"masked_fill_tensor"}, "we refuse: .*value is c64", any_case,
     named("masked_fill_tensor", zeros("bool", 2), lambda: torch.zeros(
         2, dtype=torch.bool), zeros("c64")),
     "PyTorch takes complex numbers that have no imaginary part"),
]


# ---- Layouts -----------------------------------------------------------------

def small_integers():
    return small(rows(), columns(), low=0, dtype=torch.int64)


def two_integers():
    a = small_integers()
    return [a, a.roll(1)] if pick.randrange(3) else [a, a.roll(1)[0]]


def three():
    a, b = two()
    return [a, b, small(*a.shape, low=1)]


CALLS = {
    **{name: lambda: [matrix()] for name in REAL + WHOLE + ACTIVATIONS},
    **{name: lambda: [small(rows(), columns(), low=1)]
       for name in ["log2", "log10", "log1p", "acosh"]},
    **{name: two for name in OF_TWO},
    **{name: lambda: [matrix(), small(1, low=1)[0] * 0 + 2]
       for name in DIVISIONS},
    **{f"{name}_scalar": lambda: [matrix(), 2] for name in DIVISIONS},
    **{name: two_integers for name in BITS},
    **{f"{name}_scalar": lambda: [small_integers(), 2] for name in BITS},
    **{f"{name}_backward": two for name in GRADIENTS},
    "pow": lambda: [small(8, 4, low=1), small(8, 4, low=1)],
    "pow_base": lambda: [2, matrix()],
    "rsub": lambda: two() + [1],
    "bitwise_not": lambda: [small_integers()],
    "copysign_scalar": lambda: [matrix(), -2],
    "lerp": lambda: three(),
    "lerp_scalar": lambda: two() + [0.25],
    "addcmul": lambda: three() + [2], "addcdiv": lambda: three() + [2],
    "div_mode": lambda: [matrix(), small(1, low=1)[0] * 0 + 2, "floor"],
    "div_mode_scalar": lambda: [matrix(), 2, "trunc"],
    "clamp": lambda: [matrix(), -1, 2], "clamp_min": lambda: [matrix(), 0],
    "clamp_max": lambda: [matrix(), 1],
    "clamp_tensor": lambda: (lambda a: [a, a.roll(1), a.roll(2)])(matrix()),
    "where_scalar_self": lambda: (lambda a: [a > 0, 2, a])(matrix()),
    "where_scalar_other": lambda: (lambda a: [a > 0, a, 2])(matrix()),
    "masked_fill": lambda: (lambda a: [a, a > 0, 2])(matrix()),
    "masked_fill_tensor": lambda: (lambda a: [a, a > 0, torch.tensor(2.0)])(
        matrix()),
    "round": lambda: [matrix(), 0],
    "nan_to_num": lambda: [matrix(), 0.0, math.inf, -math.inf],
    "logit": lambda: [small(rows(), columns(), low=1) / 8, -1.0],
    "hardtanh": lambda: [matrix(), -1, 1],
    "threshold": lambda: [matrix(), 1, 0],
    "softplus": lambda: [matrix(), 1.0, 20.0],
    "leaky_relu": lambda: [matrix(), 0.5],
    "elu": lambda: [matrix(), 1.0, 1.0, 1.0], "celu": lambda: [matrix(), 1.0],
    "hardshrink": lambda: [matrix(), 0.5],
    "softshrink": lambda: [matrix(), 0.5],
    "gelu_backward": lambda: (lambda a: [a, a.roll(1), "none"])(matrix()),
    "threshold_backward": lambda: two() + [0],
    "leaky_relu_backward": lambda: two() + [0.5, False],
    "elu_backward": lambda: (lambda a, b: [a, 1.0, 1.0, 1.0, False, b])(
        *two()),
    "softplus_backward": lambda: two() + [1.0, 20.0],
    "hardtanh_backward": lambda: two() + [-1, 1],
    "hardshrink_backward": lambda: two() + [0.5],
    "softshrink_backward": lambda: two() + [0.5],
    "logit_backward": lambda: (lambda a: [
        a, small(*a.shape, low=1) / 8, -1.0])(matrix()),
}
LAYOUTS_EXPLAINED = [
    ({"sign", "sgn", "nan_to_num"}, "more: .*, not .* by 0", has_partial,
     layout_named("sign", lambda: [small(8, 4)], "P(max)"),
     "NaN wins among parts and is a number here; PyTorch does not think of it"),
    ({"fmax", "fmin"}, "more: .*, not .*P.* by", has_partial,
     layout_named("fmax", lambda: [small(8, 4), small(8, 4)], "P(max)", "R"),
     "NaN wins among parts and loses here"),
    ({"threshold"}, "more: .*, not .* by 0", has_partial,
     layout_named("threshold", lambda: [small(8, 4), 1, 0], "P(max)"),
     "the value may be more than the threshold"),
    ({"softsign"}, r"other: .*reduce-scatter:., not .*P\((sum|avg)\) by 1",
     has_partial, layout_named("softsign", lambda: [small(8, 4)], "P(sum)"),
     "PyTorch takes a quotient of a partial numerator for partial; here it is "
     "one function, reduced to where it is computed"),
]
