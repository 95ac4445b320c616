# tests/peers/ops_small.py - calls whose results lie somewhere: arguments and
# layouts.
# SPDX-License-Identifier: Apache-2.0
"""Of ops_layouts.py and family_*.py."""

import ops_calls as ops
from ops_draw import pick
import torch


# ---- Arguments ---------------------------------------------------------------

def small(*shape, low=-3, dtype=torch.float32):
    """Small numbers, of which sums are exact."""
    return torch.randint(low, 4, shape).to(dtype)


def different(*shape):
    """No two are equal."""
    count = 1
    for size in shape:
        count *= size
    return torch.randperm(count).reshape(shape).to(torch.float32)


def indexes(high, *shape):
    return torch.randint(0, high, shape)


def rows():
    return pick.choice([8, 8, 4, 5, 6])


def columns():
    return pick.choice([4, 4, 8, 6, 3])


def matrix():
    return small(rows(), columns())


def two():
    a = matrix()
    b = a.clone().roll(1)
    return [a, b] if pick.randrange(3) else [a, b[0]]


def product(kind):
    b, m, k, n = 4, rows(), columns(), pick.choice([4, 8, 6])
    shapes = {"mm": [[m, k], [k, n]], "mv": [[m, k], [k]], "dot": [[m], [m]],
              "bmm": [[b, m, k], [b, k, n]], "linear": [[m, k], [n, k], [n]],
              "addmm": [pick.choice([[m, n], [n]]), [m, k], [k, n]],
              "baddbmm": [[b, m, n], [b, m, k], [b, k, n]],
              "matmul": [[b, m, k], [k, n]]}[kind]
    return [small(*shape) for shape in shapes]


def reduce_call(*more):
    return lambda: [matrix(), pick.choice([[], [0], [1], [-1]]),
                    pick.choice([False, True]), *more]


def along(*more):
    return lambda: [different(rows(), columns()), pick.choice([0, 1, -1]),
                    *more]


def everywhere(*more):
    """The same where every rank has elements: one of PyTorch that has none of a
    dimension fails alone, and the others wait for it or take what comes next
    for its answer."""
    return lambda: [different(rows(), pick.choice([4, 4, 8, 6])),
                    pick.choice([0, 1, -1]), *more]


def norm_call(*more):
    return lambda: [matrix() + 4, pick.choice([2.0, 1.0, float("inf"), 3.0]),
                    pick.choice([[], [0], [1]]), False, *more]


def draw_join(dim_count):
    a = matrix()
    return [[a, a.clone().roll(1)], pick.randrange(dim_count)]


def draw_view():
    return pick.choice([
        [small(8, 4, 6), [32, 6]], [small(8, 4, 6), [8, 24]],
        [small(8, 6), [2, 4, 6]], [small(8, 6), [48]], [small(8, 6), [8, 2, 3]],
        [small(8, 4), [8, 4]], [small(8, 6), [6, 8]], [small(8, 4), [1, 8, 4]]])


def unary(low=-3):
    return lambda: [small(rows(), columns(), low=low)]


def matrix_of(last):
    return small(rows(), last)


# ---- Layouts -----------------------------------------------------------------

def draw_placements(mesh, tensor):
    """One for each mesh dimension; partial ones are of one kind."""
    kinds = ["R"] + [f"S({dim})" for dim in range(tensor.dim())
                     if tensor.shape[dim] > 1 or not pick.randrange(4)]
    if tensor.is_floating_point():
        kinds.append(pick.choice(["P(sum)", "P(sum)", "P(sum)", "P(max)",
                                  "P(min)", "P(avg)"]))
    return [pick.choice(kinds) for _ in mesh]


def draw_few(mesh, tensors):
    """Replicated or of one other kind.  Where PyTorch has no rule it traces
    every combination of the kinds that it meets, one after another."""
    other = pick.choice(["P(sum)", "P(sum)", "P(avg)", "P(max)", "S(0)"])
    return [[pick.choice(["R", other]) for _ in mesh] for _ in tensors]


def make_case(name, mesh, args, placements=None, place=None):
    case = {"name": name, "form": "new", "args": args, "shape": mesh,
            "mesh": ",".join(f"{n}={size}" for n, size in zip("ab", mesh))}
    tensors = list(ops.tensors_of(case))
    case["placements"] = (placements or place and place(mesh, tensors)
                          or [draw_placements(mesh, t) for t in tensors])
    case["layouts"] = ["".join(p) for p in case["placements"]]
    case["first"] = next(ops.tensors_of(case)).clone()
    return case


# ---- What entries of EXPLAINED are made of -----------------------------------

def named(name, args, *layouts):
    """A call that is always tried: its arguments, and layouts by mesh
    dimension with blanks between."""
    placements = [layout.split(" ") for layout in layouts]
    mesh = (2,) * len(placements[0])
    return lambda: make_case(name, mesh, args(), placements)


def has_partial(case, _):
    return any("P(" in layout for layout in case["layouts"])


def any_case(_case, _text):
    return True


def is_uneven(case, _):
    """Has a tensor an extent that four ranks do not divide?"""
    return any(size % 4 for t in ops.tensors_of(case) for size in t.shape)


def several(case, _):
    return len(case["layouts"]) > 1
