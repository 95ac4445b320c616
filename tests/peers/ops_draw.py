# tests/peers/ops_draw.py - random arguments for every operator.
# SPDX-License-Identifier: Apache-2.0
"""Of ops.py.  Most calls are good ones; some have a dimension, an extent or a
dtype that is wrong."""

import math
import random

import torch
from ops_calls import DTYPES, FLOATS, SEED

pick = random.Random(SEED)
torch.manual_seed(SEED)


# ---- Random arguments --------------------------------------------------------

# Those after the fifth overflow or vanish in products, by their order.
SPECIAL = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-40, 3e38, 1e4]


def chance(percent):
    return pick.randrange(100) < percent


def extent():
    return pick.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7])


def draw_shape(least=0, most=4):
    if least <= 1 <= most and chance(8):
        return [pick.choice([17, 33, 64, 130, 1031])]
    shape = [extent() for _ in range(pick.randint(least, most))]
    if 0 in shape and chance(70):
        shape = [size or 2 for size in shape]
    if len(shape) == 2 and chance(8):
        shape = pick.choice([[40, 37], [3, 200], [200, 3]])
    return shape


def plain(shape, dtype, low=None, high=None, special=True):
    """Elements of a dense tensor."""
    if dtype == torch.bool:
        return torch.randint(0, 2, shape).to(dtype)
    if not dtype.is_floating_point and not dtype.is_complex:
        low = low if low is not None else (0 if dtype == torch.uint8 else -9)
        made = torch.randint(low, 10 if high is None else max(high, low + 1),
                             shape).to(dtype)
        if special and made.numel() and high is None and chance(10):
            info = torch.iinfo(dtype)
            made.flatten()[pick.randrange(made.numel())] = pick.choice(
                [info.min, info.max])
        return made
    made = (torch.randn(shape, dtype=torch.float64) * 2)
    if dtype.is_complex:
        return torch.complex(made, torch.randn(shape, dtype=torch.float64) * 2
                             ).to(dtype)
    made = made.to(dtype)
    if special and made.numel() and chance(20):
        for _ in range(pick.randint(1, 3)):
            made.view(-1)[pick.randrange(made.numel())] = pick.choice(
                SPECIAL[:5] if special == "few" else SPECIAL)
    return made


def lay(tensor):
    """The same elements, lying in memory in another way."""
    kind = pick.randrange(8)
    if kind == 0 and tensor.dim() > 1:
        order = list(range(tensor.dim()))
        pick.shuffle(order)
        back = [order.index(i) for i in range(tensor.dim())]
        return tensor.permute(order).contiguous().permute(back)
    if kind == 1 and tensor.dim():
        dim = pick.randrange(tensor.dim())
        wide = list(tensor.shape)
        wide[dim] = 2 * wide[dim] + 1
        room = torch.zeros(wide, dtype=tensor.dtype)
        view = room.narrow(dim, 1, wide[dim] - 1)[
            (slice(None),) * dim + (slice(None, None, 2),)]
        view.copy_(tensor)
        return view
    if kind == 2 and tensor.dim():
        room = torch.zeros(tensor.numel() + 3, dtype=tensor.dtype)
        view = room[3:].view(tensor.shape)
        return view.copy_(tensor)
    return tensor.contiguous()


def draw(shape, dtype, **how):
    """A tensor of some lie; expanded, now and then."""
    if shape and chance(8):
        dim = pick.randrange(len(shape))
        small = list(shape)
        small[dim] = 1
        return plain(small, dtype, **how).expand(shape)
    return lay(plain(shape, dtype, **how))


def any_dtype():
    return pick.choice(list(DTYPES.values()))


def mostly(dtypes):
    """One of these, or, now and then, any."""
    return any_dtype() if chance(12) else pick.choice(dtypes)


def second_dtype(dtype):
    return dtype if chance(55) else any_dtype()


def draw_dim(ndim):
    if chance(5):
        return pick.choice([ndim + 1, -ndim - 2])
    bound = max(ndim, 1)
    return pick.randrange(-bound, bound)


def draw_dims(ndim):
    if chance(25) or ndim == 0:
        return []
    dims = pick.sample(range(ndim), pick.randint(1, ndim))
    dims = [d - ndim if chance(40) else d for d in dims]
    if chance(4):
        dims.append(pick.choice([dims[0], ndim + 1]))
    return dims


def draw_number():
    return pick.choice([0, 1, 2, -3, 7, 2.5, -0.5, 1.0, True, False, 3, 1e10,
                        math.inf, math.nan, 300])


def draw_alpha():
    return 1 if chance(70) else pick.choice([2, -1, 0.5, True, 0, 1.0])


def broadcast_shapes(count):
    """Shapes that broadcast, nearly always."""
    whole = draw_shape()
    shapes = []
    for _ in range(count):
        shape = [1 if chance(15) else size for size in whole]
        if chance(15):
            shape = shape[pick.randint(0, len(shape)):]
        shapes.append(shape)
    if chance(4) and shapes[0]:
        shapes[0][-1] += 1
    return shapes


def unary():
    return [draw(draw_shape(), any_dtype())]


def binary():
    a, b = broadcast_shapes(2)
    dtype = any_dtype()
    return [draw(a, dtype), draw(b, second_dtype(dtype))]


def with_number():
    return [draw(draw_shape(), any_dtype()), draw_number()]


def draw_where():
    c, a, b = broadcast_shapes(3)
    dtype = any_dtype()
    condition = torch.bool if chance(85) else any_dtype()
    return [draw(c, condition), draw(a, dtype), draw(b, second_dtype(dtype))]


def reduction(dtypes=None, alone=False):
    def made():
        shape = draw_shape()
        dtype = (pick.choice(dtypes) if alone else mostly(dtypes) if dtypes
                 else any_dtype())
        return [draw(shape, dtype), draw_dims(len(shape)), chance(50)]
    return made


def reduction_with_dtype(dtypes=None):
    def made():
        wanted = mostly(FLOATS) if chance(20) else None
        return reduction(dtypes)() + [wanted]
    return made


def along(least=0, dtypes=None):
    """A tensor and a dimension of it."""
    shape = draw_shape(least)
    return (draw(shape, mostly(dtypes) if dtypes else any_dtype()),
            draw_dim(len(shape)))


def draw_arg():
    tensor, dim = along()
    return [tensor, dim, chance(50)]


def draw_norm():
    self, dims, keepdim = reduction(FLOATS + [torch.complex64])()
    return [self, pick.choice([2.0, 2.0, 1.0, 0.0, math.inf, -math.inf, 3.0,
                               0.5, -1.0]), dims, keepdim]


def draw_powsum():
    self, p, dims, keepdim = draw_norm()
    return [self, 2.0 if math.isinf(p) else p, dims, keepdim, None]


def draw_softmax():
    return [*along(0, FLOATS), mostly(FLOATS) if chance(20) else None]


def draw_topk():
    tensor, dim = along()
    size = tensor.shape[dim] if -tensor.dim() <= dim < tensor.dim() else 1
    return [tensor, pick.randint(0, size + chance(4)), dim, chance(50),
            chance(70)]


def factor_shape(count):
    """A shape of so many elements."""
    shape = []
    while count > 1 and len(shape) < 3 and chance(75):
        factor = pick.choice([f for f in range(1, count + 1) if count % f == 0])
        shape.append(factor)
        count //= factor
    shape.append(count)
    if chance(20):
        shape.insert(pick.randint(0, len(shape)), 1)
    if chance(30):
        shape[pick.randrange(len(shape))] = -1
    if chance(5):
        shape[pick.randrange(len(shape))] += 1
    return shape


def draw_view():
    tensor = draw(draw_shape(), any_dtype())
    return [tensor, factor_shape(tensor.numel())]


def draw_flatten():
    shape = draw_shape()
    start, end = sorted([pick.randrange(max(1, len(shape))) for _ in "ab"])
    if chance(5):
        start, end = end, start
    if chance(30):
        end -= max(1, len(shape))
    if chance(5):
        start = len(shape) + 1
    return [draw(shape, any_dtype()), start, end]


def draw_unflatten():
    tensor, dim = along(1)
    size = tensor.shape[dim] if -tensor.dim() <= dim < tensor.dim() else 4
    return [tensor, dim, factor_shape(size)]


def draw_expand():
    shape = draw_shape(0, 3)
    small = [1 if chance(40) else size for size in shape]
    wanted = [-1 if a == b and chance(20) else b for a, b in zip(small, shape)]
    if chance(40):
        wanted = [pick.randint(0, 3)] + wanted
    if chance(6):
        wanted = wanted[1:] if chance(50) else [-1] + wanted
    return [draw(small, any_dtype()), wanted]


def draw_permute():
    shape = draw_shape()
    order = list(range(len(shape)))
    pick.shuffle(order)
    order = [d - len(shape) if chance(30) else d for d in order]
    if order and chance(5):
        order[0] = order[-1]
    return [draw(shape, any_dtype()), order]


def draw_squeeze():
    shape = [1 if chance(50) else extent() for _ in range(pick.randint(0, 4))]
    return [draw(shape, any_dtype()), draw_dims(len(shape))]


def draw_slice():
    tensor, dim = along(0)
    return [tensor, dim, pick.randint(-8, 8), pick.randint(-8, 9),
            pick.choice([1, 1, 2, 3, 0 if chance(10) else 4])]


def draw_narrow():
    tensor, dim = along(0)
    size = tensor.shape[dim] if -tensor.dim() <= dim < tensor.dim() else 1
    start = pick.randint(-size - chance(4), size)
    length = pick.randint(0, max(0, size - start % max(size, 1)))
    return [tensor, dim, start, -1 if chance(3) else length + chance(4)]


def draw_select():
    tensor, dim = along(0)
    size = tensor.shape[dim] if -tensor.dim() <= dim < tensor.dim() else 1
    return [tensor, dim, pick.randint(-size - chance(5), size)
            if chance(6) else pick.randrange(-max(size, 1), max(size, 1))]


def draw_gather():
    shape = draw_shape(0, 3)
    tensor = draw(shape, any_dtype())
    dim = draw_dim(len(shape))
    good = -len(shape) <= dim < len(shape)
    size = shape[dim] if good else 1
    index = [pick.randint(0, s) if chance(30) else s for s in shape]
    if good:
        index[dim] = extent() if size else 0
    if chance(4):
        index = [s + 1 for s in index]
    high = size + (2 if chance(4) else 0)
    dtype = torch.int64 if chance(85) else any_dtype()
    return [tensor, dim, draw(index, dtype, low=0, high=high)]


def draw_index_select():
    tensor, dim = along(0)
    size = tensor.shape[dim] if -tensor.dim() <= dim < tensor.dim() else 1
    index = [pick.randint(0, 6) if size else 0]
    if chance(8):
        index = pick.choice([[], [2, 2]])
    dtype = pick.choice([torch.int64, torch.int64, torch.int32])
    if chance(5):
        dtype = any_dtype()
    return [tensor, dim, draw(index, dtype, low=0,
                              high=size + (2 if chance(4) else 0))]


def draw_embedding():
    rows = pick.randint(1, 9)
    weight = [rows, extent()] if not chance(4) else [rows]
    dtype = pick.choice([torch.int64, torch.int64, torch.int32])
    if chance(5):
        dtype = any_dtype()
    indices = draw(draw_shape(0, 3), dtype, low=0,
                   high=rows + (2 if chance(4) else 0))
    return [draw(weight, mostly(FLOATS)), indices,
            pick.choice([-1, -1, 0, rows - 1])]


def draw_cat():
    shape = draw_shape(1, 3)
    dim = pick.randrange(len(shape))
    dtype = any_dtype()
    tensors = []
    for _ in range(pick.randint(1, 4)):
        one = list(shape)
        one[dim] = extent()
        if chance(3):
            one[pick.randrange(len(one))] += 1
        if chance(4):
            one = [0]
        tensors.append(draw(one, dtype if chance(80) else any_dtype()))
    if chance(2):
        tensors = []
    return [tensors, dim - len(shape) if chance(30) else dim]


def draw_stack():
    shape = draw_shape(0, 3)
    dtype = any_dtype()
    tensors = [draw(shape, dtype if chance(80) else any_dtype())
               for _ in range(pick.randint(1, 4))]
    if chance(4):
        tensors.append(draw([*shape, 2], dtype))
    return [tensors, draw_dim(len(shape) + 1)]


def draw_split():
    tensor, dim = along(0)
    return [tensor, pick.randint(-1, 0) if chance(8) else pick.randint(1, 5),
            dim]


def draw_split_sizes():
    tensor, dim = along(1)
    size = tensor.shape[dim] if -tensor.dim() <= dim < tensor.dim() else 3
    sizes = []
    while sum(sizes) < size:
        sizes.append(pick.randint(0, size - sum(sizes)))
    if chance(6):
        sizes.append(pick.choice([1, -1]))
    return [tensor, sizes, dim] if len(sizes) <= 14 else draw_split_sizes()


def draw_unbind():
    tensor, dim = along(0)
    return [tensor, dim] if max([0, *tensor.shape]) < 60 else draw_unbind()


def small():
    return pick.choice([0, 1, 2, 3, 5, 8, 17])


def product(*shapes):
    """Tensors of one dtype, mostly; a wrong extent, now and then.  Of three
    infinite factors the order would decide."""
    dtype = mostly(FLOATS + FLOATS + list(DTYPES.values()))
    made = []
    for shape in shapes:
        if shape is None:
            made.append(None)
            continue
        shape = list(shape)
        if shape and chance(2):
            shape[pick.randrange(len(shape))] += 1
        made.append(draw(shape, dtype if not chance(4) else any_dtype(),
                         special="few" if len(shapes) < 3 and chance(30)
                         else False))
    return made


def draw_matmul():
    m, k, n = small(), small(), small()
    a, b = ([k] if chance(15) else [m, k]), ([k] if chance(15) else [k, n])
    batch = [extent() for _ in range(pick.randint(0, 2))]
    if len(a) > 1 and chance(50):
        a = [1 if chance(20) else s for s in batch] + a
    if len(b) > 1 and chance(50):
        b = [1 if chance(20) else s for s in batch] + b
    if chance(3):
        a = []
    return product(a, b)


def draw_mm():
    m, k, n = small(), small(), small()
    return product([m, k], [k, n])


def draw_mv():
    m, k = small(), small()
    return product([m, k], [k])


def draw_dot():
    k = pick.choice([0, 1, 3, 17, 130])
    return product([k], [k])


def draw_bmm():
    b, m, k, n = extent(), small(), small(), small()
    return product([b, m, k], [b, k, n])


def draw_beta(dtype):
    if not dtype.is_floating_point and chance(85):
        return pick.choice([0, 1, 1, 2, -3])
    return pick.choice([0, 1, 1, 2, 0.5, 0.0])


def draw_addmm():
    m, k, n = small(), small(), small()
    bias = pick.choice([[m, n], [n], [1, n], [m, 1], [], [m, n]])
    made = product(bias, [m, k], [k, n])
    return made + [draw_beta(made[1].dtype), draw_beta(made[1].dtype)]


def draw_baddbmm():
    b, m, k, n = extent(), small(), small(), small()
    bias = pick.choice([[b, m, n], [m, n], [1, n], [b, 1, 1], [b, m, n]])
    made = product(bias, [b, m, k], [b, k, n])
    return made + [draw_beta(made[1].dtype), draw_beta(made[1].dtype)]


def draw_linear():
    n, k = small(), small()
    front = [extent() for _ in range(pick.randint(0, 2))]
    weight = [n, k] if chance(92) else [k]
    bias = None if chance(40) else ([n] if len(weight) == 2 else [])
    return product(front + [k], weight, bias)


EQUATIONS = {
    1: ["ij->ji", "ij->", "ij->i", "ijk->ki", "i->i", "ij->j", "iij->j",
        "ii->i"],
    2: ["ij,jk->ik", "bij,bjk->bik", "i,j->ij", "ij,ij->", "ij,ij->ij",
        "bi,bj->ij", "ij,j->i", "bij,kj->bik", "i,i->", "ij,kl->il",
        "bhid,bhjd->bhij", "ibib,bk->ki", "ii,jj->ij"],
    3: ["ij,jk,kl->il", "i,j,k->ijk", "bi,bj,b->ij", "ij,ij,j->i",
        "iji,jk,bb->k"],
}


def equation_tensors(equation):
    sizes = {letter: pick.choice([1, 2, 3, 4, 5]) if chance(94) else 0
             for letter in "abhijkld"}
    return product(*[[sizes[c] for c in term]
                     for term in equation.split("->")[0].split(",")])


def draw_contract():
    equation = pick.choice(EQUATIONS[1] + EQUATIONS[2])
    tensors = equation_tensors(equation)
    return [tensors[0], tensors[1] if len(tensors) > 1 else None, equation]


def draw_einsum():
    equation = pick.choice(EQUATIONS[pick.randint(1, 3)])
    if chance(30):
        equation = pick.choice(["ij,jk", "ba", "i,i", "...ij,...jk->...ik"])
    if "." in equation:
        return [equation, product([2, 3, 4], [2, 4, 2])]
    return [equation, equation_tensors(equation)]


def draw_layer_norm():
    shape = draw_shape(1, 3)
    count = pick.randint(1, len(shape))
    last = shape[-count:]
    if chance(4):
        last = last[:-1] + [last[-1] + 1]
    dtype = mostly(FLOATS)
    other = dtype
    if dtype in FLOATS[2:] and chance(30):
        other = torch.float32
    weights = [draw(last, other if chance(97) else any_dtype())
               if chance(60) else None for _ in "wb"]
    return [draw(shape, dtype), last, *weights, pick.choice([1e-5, 1e-2, 0.0])]


def draw_rms_norm():
    made = draw_layer_norm()
    if made[2] is not None:
        made[2] = made[2].to(made[0].dtype)
    return made[:3] + made[4:]


def draw_dropout():
    return [draw(draw_shape(), mostly(FLOATS)),
            pick.choice([0.0, 1.0, 0.5, 0.3, -1.0 if chance(20) else 0.1]),
            chance(70), None]


def draw_lists():
    pairs = [binary() for _ in range(pick.randint(1, 4))]
    other = [b for _, b in pairs]
    if chance(4):
        other.pop()
    return [[a for a, _ in pairs], other]


def draw_equal():
    shape, dtype = draw_shape(), any_dtype()
    a = draw(shape, dtype)
    if chance(60):
        b = lay(a.clone())
    else:
        b = draw(draw_shape() if chance(30) else shape, second_dtype(dtype))
    return [a, b]


def draw_gelu():
    return [draw(draw_shape(), mostly(FLOATS)),
            pick.choice(["none", "none", "tanh", "tanh", "none", "other"])]


def one_of(first, *more):
    return lambda: first() + [f() for f in more]


UNARY = ["clone", "logical_not", "neg", "abs", "reciprocal", "exp", "log",
         "sqrt", "rsqrt", "square", "tanh", "sigmoid", "silu", "relu", "t"]
BINARY = ["mul", "div", "maximum", "minimum", "eq", "ne", "lt", "le", "gt",
          "ge", "logical_and", "logical_or"]
WITH_NUMBER = ["mul_scalar", "div_scalar", "rsub_scalar", "pow_scalar",
               "eq_scalar", "ne_scalar", "lt_scalar", "le_scalar", "gt_scalar",
               "ge_scalar"]
DRAW = {
    **{name: unary for name in UNARY},
    **{name: binary for name in BINARY},
    **{name: with_number for name in WITH_NUMBER},
    "t": lambda: [draw(draw_shape(0, 3), any_dtype())],
    "add": one_of(binary, draw_alpha), "sub": one_of(binary, draw_alpha),
    "add_scalar": one_of(with_number, draw_alpha),
    "sub_scalar": one_of(with_number, draw_alpha),
    "where": draw_where, "gelu": draw_gelu,
    "max_dim": draw_arg, "min_dim": draw_arg, "argmax": draw_arg,
    "argmin": draw_arg, "argmax_all": unary, "argmin_all": unary,
    "cast": lambda: [draw(draw_shape(), any_dtype()), any_dtype()],
    "contract": draw_contract, "einsum": draw_einsum,
    "embedding": draw_embedding, "equal": draw_equal,
    "foreach_add": one_of(draw_lists, draw_alpha),
    "foreach_mul_scalar": lambda: [draw_lists()[0], draw_number()],
    "gather": draw_gather, "index_select": draw_index_select,
    "cat": draw_cat, "stack": draw_stack, "split": draw_split,
    "split_sizes": draw_split_sizes, "chunk": draw_split,
    "unbind": draw_unbind, "matmul": draw_matmul, "mm": draw_mm,
    "mv": draw_mv, "dot": draw_dot, "bmm": draw_bmm, "addmm": draw_addmm,
    "baddbmm": draw_baddbmm, "linear": draw_linear,
    "layer_norm": draw_layer_norm, "rms_norm": draw_rms_norm,
    "dropout": draw_dropout, "sum": reduction_with_dtype(),
    "mean": reduction_with_dtype(FLOATS + [torch.complex64]),
    "prod": reduction_with_dtype(), "amax": reduction(), "amin": reduction(),
    "all": reduction(), "any": reduction(), "powsum": draw_powsum,
    "amax_abs": reduction(FLOATS, True), "amin_abs": reduction(FLOATS, True),
    "norm": draw_norm, "slice": draw_slice, "narrow": draw_narrow,
    "select": draw_select, "softmax": draw_softmax,
    "log_softmax": draw_softmax, "topk": draw_topk, "view": draw_view,
    "reshape": draw_view, "flatten": draw_flatten,
    "unflatten": draw_unflatten, "squeeze": draw_squeeze,
    "unsqueeze": lambda: (lambda s: [draw(s, any_dtype()),
                                     draw_dim(len(s) + 1)])(draw_shape()),
    "permute": draw_permute,
    "transpose": lambda: (lambda s: [draw(s, any_dtype()), draw_dim(len(s)),
                                     draw_dim(len(s))])(draw_shape()),
    "expand": draw_expand,
}
