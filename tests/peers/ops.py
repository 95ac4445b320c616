# tests/peers/ops.py - what operators give, compared with PyTorch's.
# SPDX-License-Identifier: Apache-2.0
"""usage: ops.py DIRECTORY_OF_PROGRAMS

Every operator of docs/ops.md is called by peer_ops, on one rank, with the same
random arguments as PyTorch's: all dtypes, 0-d, empty and broadcast tensors that
are permuted, sliced or expanded, with NaN and infinity, negative and wrong
dimensions, and numbers of every kind; also in place and with a tensor for the
result.  Dtypes and shapes must be the same, and values: exactly for what moves,
compares, or is of integers; within TOLERANCE elsewhere.  Where one fails the
other must, too.  EXPLAINED says where they differ by intention, and an entry
that does not occur any more is a failure.

DT_TEST_SEED is the seed; DT_PEERS_ROUNDS how often each operator is tried;
DT_PEERS_ONLY is a list of operators that alone are tried."""

import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import warnings

try:
    import torch
    import torch.nn.functional as functional
except ImportError as error:
    print(f"{pathlib.Path(__file__).stem}: skipped: {error}")
    sys.exit(0)

SEED = int(os.environ.get("DT_TEST_SEED", "20260101"))
ROUNDS = int(os.environ.get("DT_PEERS_ROUNDS", "40"))
ONLY = os.environ.get("DT_PEERS_ONLY", "").split()
MANUAL = pathlib.Path(__file__).parents[2] / "docs" / "ops.md"
DTYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16,
          "bf16": torch.bfloat16, "i8": torch.int8, "i16": torch.int16,
          "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8,
          "bool": torch.bool, "c64": torch.complex64}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
aten = torch.ops.aten
pick = random.Random(SEED)
torch.manual_seed(SEED)

# Operators that are not tried, and why.
LEFT_OUT = {}


# ---- Operators ---------------------------------------------------------------

def read_manual():
    """Every operator's parameters as (type, name, optional), and its forms."""
    operators = {}
    for line in MANUAL.read_text().splitlines():
        match = re.match(r"\| `(\w+)\((.*?)\) -> ", line)
        if not match or "in another header" in line:
            continue
        parameters, option = [], False
        for word in match.group(2).split(", "):
            if word == "*":
                option = True
                continue
            kind, name = word.split("=")[0].split(" ")
            parameters.append((kind, name, option))
        forms = line.split("|")[-4]
        operators[match.group(1)] = {
            "parameters": parameters,
            "forms": ["new"] + ["in_place"] * ("in place" in forms)
            + ["out"] * (" out" in forms)}
    return operators


OPERATORS = read_manual()
# ATen's names, where they are others.
ATEN = {f"{name}_scalar": name for name in
        ["add", "sub", "mul", "div", "rsub", "pow", "eq", "ne", "lt", "le",
         "gt", "ge"]}
ATEN.update({"max_dim": "max", "min_dim": "min", "argmax_all": "argmax",
             "argmin_all": "argmin", "layer_norm": "native_layer_norm",
             "rms_norm": "_fused_rms_norm", "split_sizes": "split_with_sizes",
             "chunks": "chunk", "foreach_mul_scalar": "_foreach_mul",
             "foreach_add": "_foreach_add", "powsum": "linalg__powsum",
             "norm": "linalg_vector_norm"})


def all_dims(tensor, dims):
    return list(range(tensor.dim())) if not dims else dims


def reference_prod(self, dims, keepdim, dtype=None):
    """PyTorch's takes one dimension."""
    if not dims:
        whole = torch.prod(self, dtype=dtype)
        return whole.reshape([1] * self.dim()) if keepdim else whole
    if len({d % max(1, self.dim()) for d in dims}) < len(dims):
        raise RuntimeError("a dimension appears twice")
    result = torch.prod(self, dims[0], True, dtype=dtype)
    for dim in dims[1:]:
        result = torch.prod(result, dim, True, dtype=dtype)
    return result if keepdim else torch.squeeze(result, dims)


def copy_out(result, out):
    """Write to a given tensor, as PyTorch does where it can."""
    if out is None:
        return result
    if not torch.can_cast(result.dtype, out.dtype):
        raise RuntimeError("result type can't be cast to that of out")
    return out.copy_(result)


def reference_some(function):
    return lambda self, dims, keepdim, **out: function(
        self, dims or None, keepdim, **out)


REFERENCE = {
    "cast": lambda self, dtype: self.to(dtype, copy=True),
    "contract": lambda a, b, equation: torch.einsum(
        equation, *([a] if b is None else [a, b])),
    "einsum": lambda equation, operands: torch.einsum(equation, *operands),
    "embedding": lambda weight, indices, padding_idx: functional.embedding(
        indices, weight, None if padding_idx == -1 else padding_idx),
    "equal": lambda self, other: torch.tensor(torch.equal(self, other)),
    "prod": lambda self, dims, keepdim, dtype=None, out=None: copy_out(
        reference_prod(self, dims, keepdim, dtype), out),
    "all": reference_some(aten.all),
    "any": reference_some(aten.any),
    "amax_abs": lambda self, dims, keepdim: torch.amax(
        self.abs(), dims, keepdim),
    "amin_abs": lambda self, dims, keepdim: torch.amin(
        self.abs(), dims, keepdim),
    "norm": lambda self, p, dims, keepdim: torch.linalg.vector_norm(
        self, p, dims or None, keepdim),
    "powsum": lambda self, p, dims, keepdim, dtype=None: aten.linalg__powsum(
        self, p, dims or None, keepdim, dtype=dtype),
    "squeeze": lambda self, dims: (torch.squeeze(self, dims) if dims
                                   else torch.squeeze(self)),
    "softmax": lambda self, dim, dtype=None: torch.softmax(
        self, dim, dtype=dtype),
    "log_softmax": lambda self, dim, dtype=None: torch.log_softmax(
        self, dim, dtype=dtype),
    "flatten": torch.flatten,
    "unflatten": torch.unflatten,
    "view": lambda self, shape: self.view(shape),
    "dropout": lambda self, p, train, generator: torch.dropout(self, p, train),
    "expand": lambda self, shape: self.expand(shape),
}
IN_PLACE = {
    "squeeze": lambda self, dims: (self.squeeze_(dims) if dims
                                   else self.squeeze_()),
    "dropout": lambda self, p, train, generator: torch.dropout_(self, p, train),
}


def call_torch(case):
    """Give a list of results."""
    name, form, args = case["name"], case["form"], case["args"]
    base = ATEN.get(name, name)
    parameters = OPERATORS[name]["parameters"]
    places = [a for a, (_, _, option) in zip(args, parameters) if not option]
    options = {p[1]: a for a, p in zip(args, parameters) if p[2]}
    if form == "in_place":
        run = IN_PLACE.get(name) or getattr(aten, base + "_")
    else:
        run = REFERENCE.get(name) or getattr(aten, base)
        if form == "out":
            options["out"] = case["out"]
    result = run(*places, **options)
    return list(result) if isinstance(result, (tuple, list)) else [result]


# ---- Random arguments --------------------------------------------------------

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
                [math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-40, 3e38, 1e4])
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


def product(*shapes, dtypes=None):
    """Tensors of one dtype, mostly; a wrong extent, now and then."""
    dtype = mostly(dtypes or FLOATS + FLOATS + list(DTYPES.values()))
    made = []
    for shape in shapes:
        if shape is None:
            made.append(None)
            continue
        shape = list(shape)
        if shape and chance(2):
            shape[pick.randrange(len(shape))] += 1
        made.append(draw(shape, dtype if not chance(4) else any_dtype(),
                         special=chance(30)))
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
    1: ["ij->ji", "ij->", "ij->i", "ijk->ki", "i->i", "ij->j", "iij->j", "ii->i"],
    2: ["ij,jk->ik", "bij,bjk->bik", "i,j->ij", "ij,ij->", "ij,ij->ij",
        "bi,bj->ij", "ij,j->i", "bij,kj->bik", "i,i->", "ij,kl->il",
        "bhid,bhjd->bhij"],
    3: ["ij,jk,kl->il", "i,j,k->ijk", "bi,bj,b->ij", "ij,ij,j->i"],
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
    "split_sizes": draw_split_sizes, "chunks": draw_split,
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


# ---- What peer_ops reads -----------------------------------------------------

class Writer:
    """Cases as words, and the bytes that their tensors have."""

    def __init__(self, folder):
        self.cases = open(folder / "cases", "w", encoding="ascii")
        self.data = open(folder / "data", "wb")
        self.at = 0

    def close(self):
        self.cases.close()
        self.data.close()

    def tensor(self, tensor, layout="R"):
        storage = torch.empty(0, dtype=torch.uint8).set_(
            tensor.untyped_storage()).numpy().tobytes()
        storage += bytes(-len(storage) % 16)
        begin = self.at + tensor.storage_offset() * tensor.element_size()
        self.data.write(storage)
        self.at += len(storage)
        return ["t", layout, NAMES[tensor.dtype], begin, tensor.dim(),
                *tensor.shape, *tensor.stride()]

    def argument(self, kind, value, layouts):
        if value is None:
            return ["-"]
        if kind in ("Tensor", "Tensor?"):
            return self.tensor(value, next(layouts))
        if kind == "Tensor[]":
            words = [self.tensor(one, next(layouts)) for one in value]
            return ["l", len(value)] + sum(words, [])
        if kind == "Number":
            letter = {bool: "b", int: "i", float: "f"}[type(value)]
            return ["n", letter, number_word(value)]
        if kind in ("Dims", "Shape", "int[]"):
            return ["v", len(value), *value]
        if kind == "float":
            return ["r", number_word(value)]
        if kind in ("Dtype", "Dtype?"):
            return ["d", NAMES[value]]
        return ["s" if kind == "Text" else "i", number_word(value)]

    def case(self, number, case):
        layouts = iter(case.get("layouts") or ["R"] * 64)
        parameters = OPERATORS[case["name"]]["parameters"]
        words = [number, case["name"], case["form"], case.get("mesh", "a=1"),
                 len(case["args"])]
        for (kind, _, _), value in zip(parameters, case["args"]):
            words += self.argument(kind, value, layouts)
        if case["form"] == "out":
            words += self.tensor(case["out"])
        self.cases.write(" ".join(map(str, words)) + "\n")


def number_word(value):
    if isinstance(value, bool):
        return int(value)
    return value.hex() if isinstance(value, float) else value


def read_results(folder, name):
    """What peer_ops wrote, by the number of the case."""
    found, at = {}, 0
    elements = bytearray((folder / f"{name}.bin").read_bytes())
    elements += bytes(1 << 20)  # some may be missing if the program died
    for line in (folder / name).read_text(errors="replace").splitlines():
        words = line.split(" ")
        number, words = int(words[0]), words[1:]
        if words[0] == "error":
            found[number] = {"error": " ".join(words[2:]), "code": words[1]}
            continue
        results, rest = [], words[4:]
        for _ in range(int(words[3])):
            dtype, layout, ndim = DTYPES[rest[0]], rest[1], int(rest[2])
            shape = [int(word) for word in rest[3:3 + ndim]]
            rest = rest[3 + ndim:]
            count = math.prod(shape)
            results.append((torch.frombuffer(
                elements, dtype=dtype, count=count, offset=at).clone()
                if count else torch.empty(0, dtype=dtype)).reshape(shape))
            at += count * results[-1].element_size()
            found.setdefault(number, {"layouts": []})["layouts"].append(layout)
        found.setdefault(number, {"layouts": []}).update(
            results=results, calls=words[1], bytes=int(words[2]))
    return found


def run_ours(program, ranks, folder):
    """Give the results by number; a case that kills the program has "died"."""
    lines = (folder / "cases").read_text().splitlines(keepends=True)
    found = {}
    while lines:
        (folder / "cases").write_text("".join(lines))
        try:
            done = subprocess.run([program, str(ranks), folder / "cases",
                                   folder / "data", folder / "ours"],
                                  check=False, stderr=subprocess.PIPE,
                                  timeout=100)
            failed, said = done.returncode != 0, done.stderr
        except subprocess.TimeoutExpired as late:
            failed, said = True, b"timeout " + (late.stderr or b"")
        found.update(read_results(folder, "ours"))
        if not failed:
            return found
        count = len((folder / "ours").read_text().splitlines())
        number = int(lines[min(count, len(lines) - 1)].split(" ")[0])
        found[number] = {"died": said.decode(errors="replace")[-300:].strip()}
        lines = lines[count + 1:]
        if sum("died" in had for had in found.values()) > 50:
            raise SystemExit(f"{program} dies too often: {found[number]}")
    return found


# ---- Comparing ---------------------------------------------------------------

# How far values may be apart, in units of the last place of the dtype, times
# the sum of the absolute values of what was added up, where something was.
TOLERANCE = {"exact": 0, "round": 1, "function": 4, "sum": 8, "norm": 32}
EXACT = {"neg", "abs", "relu", "maximum", "minimum", "amax", "amin", "max_dim",
         "min_dim", "clone", "cast", "where", "embedding", "gather",
         "index_select", "cat", "stack", "split", "split_sizes", "chunks",
         "unbind", "slice", "narrow", "select", "topk", "view", "reshape",
         "flatten", "unflatten", "squeeze", "unsqueeze", "permute",
         "transpose", "t", "expand"}
ROUND = {"add", "sub", "mul", "div", "add_scalar", "sub_scalar", "mul_scalar",
         "div_scalar", "rsub_scalar", "sqrt", "square", "foreach_add",
         "foreach_mul_scalar", "amax_abs", "amin_abs"}
SUMS = {"sum", "mean", "contract", "einsum", "matmul", "mm", "mv", "dot", "bmm",
        "addmm", "baddbmm", "linear"}
NORMS = {"layer_norm", "rms_norm", "norm", "powsum", "prod", "softmax",
         "log_softmax"}


def absolute(value):
    """The same argument with all signs gone, in f64."""
    if isinstance(value, torch.Tensor):
        return (value.abs() if value.is_complex()
                else value.to(torch.float64).abs()).to(torch.float64)
    if isinstance(value, list) and value and isinstance(value[0], torch.Tensor):
        return [absolute(one) for one in value]
    if isinstance(value, float):
        return abs(value)
    return abs(value) if type(value) is int and value < 0 else value


def bound_of(case, theirs):
    """What errors are relative to."""
    name = case["name"]
    if name in SUMS:
        parameters = OPERATORS[name]["parameters"]
        args = [absolute(a) if kind in ("Tensor", "Tensor?", "Tensor[]",
                                        "Number") else a
                for a, (kind, _, _) in zip(case["args"], parameters)]
        args = [None if p[0] == "Dtype?" else a
                for a, p in zip(args, parameters)]
        return call_torch({"name": name, "form": "new", "args": args})[0]
    if name == "gelu":  # PyTorch's 1 + erf(x) loses digits, of f64 as well
        return case["first"].abs().to(torch.float64)
    bound = theirs.abs().to(torch.float64)
    if name in ("add", "sub", "add_scalar", "sub_scalar", "foreach_add",
                "rsub_scalar"):
        finite = [absolute(a).nan_to_num(0, 0, 0).max()
                  for a in tensors_of(case) if a.numel()]
        return bound + max([torch.tensor(0.0)] + finite)
    if name in NORMS and bound.numel():
        scale = 1.0 if name in ("layer_norm", "rms_norm", "log_softmax") else 0
        return bound + scale
    return bound


def tensors_of(case):
    for value in case["args"]:
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, torch.Tensor):
                yield one


def tolerance_of(case, dtype):
    name = case["name"]
    if not (dtype.is_floating_point or dtype.is_complex) or name in EXACT:
        if not (name == "abs" and any(t.is_complex() for t in tensors_of(case))):
            return 0
    kind = ("round" if name in ROUND else "sum" if name in SUMS
            else "norm" if name in NORMS else "function")
    if dtype.is_complex:
        kind = "norm"
    return TOLERANCE[kind] * torch.finfo(dtype).eps


def wide(value):
    """The same argument in f64."""
    if isinstance(value, torch.Tensor) and (value.is_floating_point()
                                            or value.is_complex()):
        return value.to(torch.complex128 if value.is_complex()
                        else torch.float64)
    return [wide(v) for v in value] if isinstance(value, list) else value


def nearer(case, ours, theirs, place):
    """Where are our values nearer to those of PyTorch in f64 than its own?"""
    if case["form"] != "new":
        return torch.zeros_like(ours, dtype=torch.bool)
    args = [torch.float64 if isinstance(a, torch.dtype) else wide(a)
            for a in case["args"]]
    exact = run_torch({**case, "args": args})
    if isinstance(exact, Exception):
        return torch.zeros_like(ours, dtype=torch.bool)
    exact = exact[place]
    if exact.is_complex():
        exact = torch.view_as_real(exact)
    return (ours - exact).abs() <= (theirs - exact).abs()


def values_differ(case, ours, theirs, place=0):
    """Where they do, as a text; nothing if they are as good as equal."""
    if ours.is_complex():
        pairs = torch.view_as_real(ours), torch.view_as_real(theirs.resolve_conj())
    else:
        pairs = ours, theirs
    a, b = (t.to(torch.float64) if t.is_floating_point() else t for t in pairs)
    if a.dtype == torch.float64:
        good = (a == b) | (a.isnan() & b.isnan())
    else:
        good = a == b
    tolerance = tolerance_of(case, theirs.dtype)
    if not good.all() and tolerance:
        bound = bound_of(case, theirs)
        if ours.is_complex():
            bound = bound.unsqueeze(-1)
        info = torch.finfo(theirs.dtype)
        room = tolerance * bound.nan_to_num(0, 0, 0) + info.tiny * (
            1 if case["name"] in SUMS else 2 * info.eps)
        good = good | ((a - b).abs() <= room.expand(a.shape).to(a.dtype))
        if ours.is_complex():
            good = good.all(-1, keepdim=True).expand(good.shape)
    if not good.all() and tolerance:
        good = good | nearer(case, a, b, place)
    if good.all():
        return ""
    bad = (~(a == b) & ~good).nonzero()[0].tolist()
    return (f"{int((~good).sum())} of {good.numel()} values, at {bad}: "
            f"{a[tuple(bad)].item()!r}, not {b[tuple(bad)].item()!r}")


def topk_differs(case, ours, theirs):
    """Which of equal elements are taken is not said by PyTorch."""
    self, _, dim, largest, _ = case["args"]
    if self.dim() == 0:
        return values_differ(case, ours[0], theirs[0])
    order = theirs[0].sort(dim, descending=largest)[0]
    taken = torch.gather(self, dim, ours[1])
    return (values_differ(case, ours[0], order)
            or values_differ(case, taken, ours[0]))


def dropout_differs(case, ours, theirs):
    """Which elements are taken is chance; what becomes of them is not."""
    self, p, train = case["args"][:3]
    if not train or p in (0.0, 1.0):
        return values_differ(case, ours[0], theirs[0])
    self = case["first"]
    kept = (self / (1 - p)).to(self.dtype)
    zero = ours[0] == 0
    if self.numel() > 500 and abs(zero.float().mean() - p) > 0.08:
        return f"{zero.float().mean()} of the elements are 0, not {p}"
    gone = zero | (~self.isfinite() & ours[0].isnan())  # 0 times infinity
    return values_differ(case, ours[0], torch.where(gone, ours[0], kept))


def differ(case, ours, theirs):
    """What differs, as a text."""
    if "died" in ours:
        return f"we die: {ours['died']}"
    if "error" in ours or isinstance(theirs, Exception):
        if "error" in ours and isinstance(theirs, Exception):
            return ""
        if "error" in ours:
            return f"we refuse: {ours['error']}"
        return f"PyTorch refuses: {type(theirs).__name__}: {theirs}"
    mine = ours["results"]
    if len(mine) != len(theirs):
        return f"{len(mine)} results, not {len(theirs)}"
    for a, b in zip(mine, theirs):
        if a.dtype != b.dtype:
            return f"dtype {NAMES[a.dtype]}, not {NAMES.get(b.dtype, b.dtype)}"
        if a.shape != b.shape:
            return f"shape {list(a.shape)}, not {list(b.shape)}"
    if case["name"] == "topk":
        return topk_differs(case, mine, theirs)
    if case["name"] == "dropout":
        return dropout_differs(case, mine, theirs)
    for place, (a, b) in enumerate(zip(mine, theirs)):
        text = values_differ(case, a, b, place)
        if text:
            return text
    return ""


# ---- Differences that are meant ----------------------------------------------

def has_dtype(case, *names):
    return any(NAMES[t.dtype] in names for t in tensors_of(case))


def is_finite(case):
    """Are there no infinities, nor when two are multiplied?"""
    return all((t.abs().to(torch.float64) < (250 if t.dtype == torch.float16
                                             else 1e18)).all()
               for t in tensors_of(case))


def out_of_range(case):
    """Is a float converted that the integer dtype does not hold?"""
    self, dtype = case["args"]
    if dtype.is_floating_point or dtype.is_complex or dtype == torch.bool:
        return False
    real = (self.real if self.is_complex() else self).to(torch.float64)
    info = torch.iinfo(dtype)
    return bool(((real.trunc() < info.min) | (real.trunc() > info.max)
                 | ~real.isfinite()).any())


def is_bool(case):
    return has_dtype(case, "bool")


def is_empty(case):
    return any(t.numel() == 0 for t in tensors_of(case))


def repeats_letter(case):
    equation = next(a for a in case["args"] if isinstance(a, str))
    return any(len(set(term)) < len(term) for term in
               equation.replace(".", "").split("->")[0].split(","))


def wrong_out(case):
    """Has out, before the call, not the shape of the result?"""
    return case["form"] == "out" and case["resized"]


def any_case(_):
    return True


def named(name, *args, form="new", out=None):
    """A call that is always tried."""
    return lambda: {"name": name, "form": form, "args": [
        a() if callable(a) and not isinstance(a, torch.dtype) else a
        for a in args], **({"out": out()} if out else {})}


def zeros(dtype, *shape):
    return lambda: torch.zeros(shape, dtype=DTYPES[dtype])


def numbers(dtype, *values):
    return lambda: torch.tensor(values, dtype=DTYPES[dtype])


INF, NAN = math.inf, math.nan
PRODUCTS = {"matmul", "mm", "mv", "dot", "bmm", "addmm", "baddbmm", "linear",
            "contract", "einsum"}
# Operators (None: all), what the difference begins with, when, a call that
# always shows it, and why.
EXPLAINED = [
    (None, "we refuse: .*out", wrong_out,
     named("neg", zeros("f32", 2), form="out", out=zeros("f32", 3)),
     "PyTorch gives out the shape of the result, with a warning"),
    (None, r"PyTorch refuses: \w+: .*(dtype|out type|scalar type|bool tensor "
     "for result)", lambda case: case["form"] == "out",
     named("clone", zeros("i32", 2), form="out", out=zeros("f32", 2)),
     "some operators of PyTorch convert to the dtype of out, others do not: "
     "all of ours do, where the result can be cast"),
    ({"sum", "prod", "mean"}, "we refuse: .*which out, .*, does not hold",
     lambda case: case["form"] == "out",
     named("sum", zeros("i64", 1), [], False, None, form="out",
           out=zeros("bool")),
     "PyTorch adds up in the dtype of out, whatever that is"),
    (None, "we refuse: .*no dtype holds both",
     lambda case: has_dtype(case, "c64") and has_dtype(case, "f64", "f16"),
     named("ne", zeros("c64"), zeros("f64")),
     "there are no complex numbers of f64 and f16 here"),
    (None, "PyTorch refuses: .*ComplexHalf", lambda case: has_dtype(case, "f16"),
     named("logical_and", zeros("f16", 2), zeros("c64")), "the same"),
    ({"cast"}, ".*values", out_of_range,
     named("cast", numbers("f32", 1e30, NAN, -300.0), torch.uint8),
     "floats saturate and NaN gives 0; in C, and so in PyTorch, what happens "
     "is not defined"),
    ({"sum", "prod"}, ".*values",
     lambda case: case["args"][3] is not None and not is_finite(case)
     and not case["args"][3].is_floating_point,
     named("sum", numbers("f32", INF, 1.0), [], False, torch.int64),
     "the same"),
    ({"contract", "einsum"}, "we refuse: .*diagonals are not taken",
     repeats_letter, named("contract", zeros("f32", 2, 2), None, "ii->i"),
     "diagonals are not taken"),
    (PRODUCTS, "we refuse: .*bool are not multiplied", is_bool,
     named("mm", zeros("bool", 0, 2), zeros("bool", 2, 2)),
     "PyTorch looks at the dtype only if there is something to multiply, and "
     "einsum multiplies element by element where nothing is summed"),
    (PRODUCTS, "we refuse: .*all tensors must have one",
     lambda case: is_empty(case)
     or case["name"] in ("contract", "einsum", "linear"),
     named("matmul", zeros("f32", 2, 3, 0), zeros("f16", 2, 0, 2)),
     "PyTorch compares dtypes only if there is something to multiply, and "
     "einsum promotes them where nothing is summed, linear those of integers "
     "and a bias"),
    ({"contract", "einsum"}, "dtype [iu]", any_case,
     named("contract", zeros("i16", 2, 2), None, "ij->"),
     "PyTorch sums one operand in i64, and products of two in their dtype; "
     "here the dtype never changes"),
    ({"cat"}, "we refuse: .*(may differ|dimension)",
     lambda case: any(list(t.shape) == [0] for t in tensors_of(case)),
     named("cat", lambda: [torch.zeros(2, 2), torch.zeros(0)], 0),
     "PyTorch passes over tensors of shape (0,), whatever the others are"),
    ({"addmm", "baddbmm"}, "we refuse: .*is no integer",
     lambda case: not case["args"][1].is_floating_point(),
     named("addmm", zeros("i64", 2, 2), zeros("i64", 2, 2), zeros("i64", 2, 2),
           1, 0.5),
     "PyTorch cuts off the fraction of alpha and beta, without a word"),
    ({"addmm", "baddbmm"}, ".*values",
     lambda case: case["args"][4] == 0 and (not is_finite(case)
                                            or has_dtype(case, "bf16", "f16")),
     named("baddbmm", zeros("f32", 1, 1, 1),
           lambda: torch.full((1, 1, 1), NAN), zeros("f32", 1, 1, 1), 1, 0),
     "alpha of 0: PyTorch multiplies NaN by it, or does not, as the dtype may "
     "be; here products are not looked at then"),
    ({"linear"}, "we refuse: .*bias is", any_case,
     named("linear", zeros("f32", 2, 3), zeros("f32", 4, 3), zeros("f32", 1)),
     "PyTorch broadcasts a bias; its manual says that it has as many elements "
     "as there are columns"),
    ({"linear"}, "we refuse: .*has not 2 dimensions", any_case,
     named("linear", zeros("f32", 3), zeros("f32", 3), None),
     "a weight of one dimension gives a vector in PyTorch: dt_mv does that"),
    ({"layer_norm"}, ".*values", lambda case: not is_finite(case),
     named("layer_norm", numbers("f32", INF, INF, INF), [3], None, None, 0.01),
     "the mean of infinity is infinity; PyTorch's running mean gives NaN"),
    ({"rms_norm"}, "we refuse: .*does not end with", any_case,
     named("rms_norm", zeros("f32", 2), [3], None, 0.01),
     "_fused_rms_norm checks nothing; torch.rms_norm does"),
    ({"rms_norm"}, "we refuse: .*not of c64", any_case,
     named("rms_norm", zeros("c64", 2), [2], None, 0.01),
     "there is no root mean square of complex numbers"),
    ({"add_scalar", "sub_scalar", "rsub_scalar", "foreach_add"}, ".*values",
     lambda case: has_dtype(case, "c64")
     and any(isinstance(a, float) and not math.isfinite(a)
             for a in case["args"]),
     named("add_scalar", zeros("c64"), INF, 1),
     "PyTorch multiplies infinity by a complex alpha of 1, which gives NaN"),
    ({"pow_scalar"}, "PyTorch refuses: .*negative integer powers", any_case,
     named("pow_scalar", zeros("i8", 4), -3),
     "of integers, the integer part is given"),
    ({"pow_scalar"}, "PyTorch refuses: .*without overflow", any_case,
     named("pow_scalar", zeros("i8"), 300),
     "an exponent need not fit the dtype of what is raised"),
    ({"powsum"}, ".*values", lambda case: case["args"][1] == 0,
     named("powsum", zeros("f32", 2), 0.0, [], False, None),
     "_powsum counts zeros for p = 0; the norm of PyTorch does not, nor do we"),
    ({"dropout"}, "we refuse: .*repeats dimension",
     lambda case: case["form"] == "in_place",
     named("dropout", lambda: torch.zeros(1).expand(2), 0.0, True, None,
           form="in_place"),
     "if nothing is dropped, PyTorch does not look at what it would write to"),
    ({"dropout"}, "we refuse: .*only floats",
     lambda case: case["args"][1] in (0.0, 1.0),
     named("dropout", zeros("i16", 2), 1.0, True, None),
     "integers with p = 0 or 1; for any other p PyTorch refuses them, too"),
    ({"amax", "amin", "max_dim", "min_dim"}, "we refuse: .*c64",
     lambda case: has_dtype(case, "c64") and is_empty(case),
     named("amin", zeros("c64", 0, 3), [1], True),
     "PyTorch looks at the dtype only if there are elements"),
    ({"softmax", "log_softmax"}, "we refuse: .*give a dtype of floats",
     is_empty, named("softmax", zeros("bool", 0, 7), 1, None),
     "PyTorch looks at the dtype only if there are elements"),
    ({"gather"}, "we refuse: .*indexes of", is_empty,
     named("gather", zeros("f32", 4), 0, zeros("f64", 0)),
     "PyTorch looks at the dtype of indexes only if there are any"),
    ({"topk"}, "we refuse: topk: k is 0 of a 0-d",
     lambda case: case["args"][0].dim() == 0,
     named("topk", zeros("i8"), 0, 0, False, True),
     "PyTorch gives an element where none was asked for"),
    ({"matmul"}, "PyTorch refuses: .*must match the size of tensor b",
     lambda case: case["form"] == "out" and not case["out"].is_contiguous(),
     named("matmul", zeros("f16", 2, 5, 3), zeros("f16", 3, 8), form="out",
           out=lambda: torch.zeros(2, 11, 8, dtype=torch.float16)[:, 1:6]),
     "PyTorch's matmul fails if out is not dense"),
    ({"abs"}, "PyTorch refuses: .*In-place abs",
     lambda case: has_dtype(case, "c64"),
     named("abs", zeros("c64"), form="in_place"),
     "a real result is written to c64 as to any other out"),
    ({"where"}, "we refuse: .*condition is u8", any_case,
     named("where", zeros("u8", 2), zeros("f32", 2), zeros("f32", 2)),
     "PyTorch takes u8 for bool, and warns that it will not for long"),
    ({"prod"}, ".*values",
     lambda case: has_dtype(case, "c64", "f16")
     or case["args"][3] == torch.float16,
     named("prod", numbers("f16", 300, 300, 300, 0), [], False, None),
     "products of f16 are kept in f32 until the end; complex ones that "
     "overflow are infinity or NaN by their order"),
]


def explain(case, text):
    for number, (names, begin, when, _, _) in enumerate(EXPLAINED):
        if ((names is None or case["name"] in names)
                and re.match(begin, text, re.DOTALL) and when(case)):
            return number
    return None


# ---- All of it ---------------------------------------------------------------

def show(value):
    if isinstance(value, torch.Tensor):
        lie = "" if value.is_contiguous() else f"/{list(value.stride())}"
        return f"{NAMES[value.dtype]}{list(value.shape)}{lie}"
    if isinstance(value, list):
        return "[" + ", ".join(map(show, value)) + "]"
    return NAMES.get(value, repr(value)) if isinstance(
        value, torch.dtype) else repr(value)


def show_case(case):
    text = f"{case['name']}({', '.join(map(show, case['args']))})"
    if case["form"] == "out":
        text += f" out={show(case['out'])}"
    return text + (" in place" if case["form"] == "in_place" else "")


def run_torch(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return [r.clone() if isinstance(r, torch.Tensor) else r
                    for r in call_torch(case)]
        except (RuntimeError, IndexError, ValueError, TypeError,
                NotImplementedError) as error:
            return error


def draw_form(case):
    """Let the result be written to some tensor, now and then."""
    forms = OPERATORS[case["name"]]["forms"]
    form = pick.choice(forms) if chance(40) else "new"
    if form == "out":
        results = run_torch(case)
        if isinstance(results, Exception) or results[0].dtype not in NAMES:
            return
        dtype = results[0].dtype if chance(75) else any_dtype()
        shape = [*results[0].shape, 2] if chance(4) else results[0].shape
        case["out"] = lay(torch.zeros(shape, dtype=dtype))
    case["form"] = form


def draw_cases():
    cases = [] if ONLY else [entry[3]() for entry in EXPLAINED]
    for name in OPERATORS:
        if name not in DRAW or (ONLY and name not in ONLY):
            continue
        for _ in range(ROUNDS):
            case = {"name": name, "form": "new", "args": DRAW[name]()}
            draw_form(case)
            cases.append(case)
    return cases


def compare(cases, theirs, ours):
    """Print what differs; give how much does, and which entries explain some."""
    failures, met = 0, {}
    shown = {}
    for number, case in enumerate(cases):
        text = differ(case, ours[number], theirs[number])
        if not text:
            continue
        entry = explain(case, text)
        if entry is not None:
            met[entry] = met.get(entry, 0) + 1
            continue
        failures += 1
        key = (case["name"], text[:14])
        shown[key] = shown.get(key, 0) + 1
        if shown[key] <= int(os.environ.get("DT_PEERS_SHOWN", "2")):
            print(f"ops: {number}: {show_case(case)}: {text[:300]}")
    return failures, met


def check_rows():
    """Every row is tried, or left out for a reason."""
    missing = [name for name in OPERATORS
               if name not in DRAW and name not in LEFT_OUT]
    for name in missing:
        print(f"ops: {name}: neither tried nor left out for a reason")
    for name, reason in LEFT_OUT.items():
        print(f"ops: {name} is left out: {reason}")
    return len(missing)


def main():
    program = pathlib.Path(sys.argv[1]) / "peer_ops"
    torch.set_num_threads(1)
    torch.backends.mkldnn.enabled = False  # its gelu of infinity is NaN
    failures = check_rows()
    cases = draw_cases()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        writer = Writer(folder)
        for number, case in enumerate(cases):
            writer.case(number, case)
            case["first"] = next(tensors_of(case), torch.zeros(0)).clone()
        writer.close()
        theirs = []
        for case in cases:
            shape = case["out"].shape if case["form"] == "out" else None
            theirs.append(run_torch(case))
            case["resized"] = shape and shape != case["out"].shape
        ours = run_ours(program, 1, folder)
    differing, met = compare(cases, theirs, ours)
    failures += differing
    for number, (names, begin, _, _, reason) in enumerate(EXPLAINED):
        if number not in met and not ONLY:
            failures += 1
            print(f"ops: explained, but it does not occur: {names}: {begin}: "
                  f"{reason}")
    refused = sum(isinstance(t, Exception) for t in theirs)
    print(f"ops: {len(cases)} calls of {len({c['name'] for c in cases})} "
          f"operators against PyTorch {torch.__version__}, {refused} refused "
          f"there, {sum(met.values())} differences explained, {failures} not "
          f"(DT_TEST_SEED={SEED})")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
