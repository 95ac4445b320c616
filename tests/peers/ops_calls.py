# tests/peers/ops_calls.py - operators, as PyTorch calls them and as we do.
# SPDX-License-Identifier: Apache-2.0
"""Of ops.py, ops_layouts.py and gradients.py.  A case is a dictionary: `name` of
an operator, `args` in the order of its schema, `form`, and what the scripts add.
Of a case with `leaves` and `grads`, the gradients of the results, peer_ops
computes the gradients of the leaves."""

import itertools
import math
import os
import pathlib
import re
import subprocess
import sys
import warnings

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")  # it warns of much
try:
    import torch
    import torch.nn.functional as functional
except ImportError as error:
    print(f"{pathlib.Path(sys.argv[0]).stem}: skipped: {error}")
    sys.exit(0)

SEED = int(os.environ.get("DT_TEST_SEED", "20260101"))
ONLY = os.environ.get("DT_PEERS_ONLY", "").split()
MANUAL = pathlib.Path(__file__).parents[2] / "docs" / "ops.md"
DTYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16,
          "bf16": torch.bfloat16, "i8": torch.int8, "i16": torch.int16,
          "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8,
          "bool": torch.bool, "c64": torch.complex64}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
aten = torch.ops.aten


# ---- Operators ---------------------------------------------------------------

# Enums: PyTorch's names of their values, by number.
VALUES = {"Reduction": ["none", "mean", "sum"], "Rounding": ["trunc", "floor"],
          "ScatterReduction": ["sum", "prod", "mean", "amax", "amin"],
          "Approximate": ["none", "tanh"]}


def read_default(kind, text):
    """What an option is if a call does not name it."""
    if text in ("None", "true", "false"):
        return {"None": None, "true": True, "false": False}[text]
    if kind == "Text":
        return text.strip('"')
    if kind == "Reduction":  # PyTorch passes its number, and others by name
        return VALUES[kind].index(text)
    if kind in VALUES:
        return text
    return float(text) if kind == "float" else int(text)


def read_parameters(text):
    """Parameters as (type, name, optional), and defaults of options."""
    parameters, defaults, option = [], {}, False
    for word in text.split(", "):
        if word == "*":
            option = True
            continue
        kind, name = word.split("=")[0].split(" ")
        parameters.append((kind.rstrip("~"), name, option))
        if option:
            defaults[name] = read_default(kind.rstrip("~"), word.split("=")[1])
    return parameters, defaults


# Rules of operators of which an element depends on elements in its own place.
POINTWISE = re.compile(r" `(\.\.\.,)*(\.\.\.)?->\.\.\.`(, in most calls)? $")


def read_manual():
    """Every operator's parameters, forms and names of ATen."""
    operators, columns = {}, []
    for line in MANUAL.read_text().splitlines():
        cells = re.split(r"(?<!\\)\|", line)[1:-1]
        if line.startswith("| operator |"):
            columns = [cell.strip() for cell in cells]
        match = re.match(r"\| `(\w+)\((.*?)\) -> ", line)
        if not match or "in another header" in line:
            continue
        parameters, defaults = read_parameters(match.group(2))
        row = dict(zip(columns, cells, strict=True))
        rule, forms = row["sharding rule"], row["variants"]
        operators[match.group(1)] = {
            "parameters": parameters, "defaults": defaults,
            "forms": ["new"] * ("in place alone" not in forms)
            + ["in_place"] * ("in place" in forms) + ["out"] * (" out" in forms),
            "random": "random" in forms,
            "differentiable": row["gradient"].strip() != "none",
            "pointwise": bool(POINTWISE.match(rule)) and "view" not in forms,
            "aten": re.findall("`(.*?)`", row["ATen"])}
    return operators


OPERATORS = read_manual()
# ATen's names, where they are others.
ATEN = {f"{name}_scalar": name for name in
        ["add", "sub", "mul", "div", "rsub", "pow", "eq", "ne", "lt", "le",
         "gt", "ge"]}
ATEN.update({"max_dim": "max", "min_dim": "min", "argmax_all": "argmax",
             "argmin_all": "argmin", "layer_norm": "native_layer_norm",
             "rms_norm": "_fused_rms_norm", "split_sizes": "split_with_sizes",
             "foreach_mul_scalar": "_foreach_mul",
             "foreach_add": "_foreach_add", "powsum": "linalg__powsum",
             "norm": "linalg_vector_norm"})


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
    if out.shape != result.shape:
        out.resize_(result.shape)
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


def run_torch(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return [r.clone() if isinstance(r, torch.Tensor) else r
                    for r in call_torch(case)]
        except (RuntimeError, IndexError, ValueError, TypeError,
                NotImplementedError) as error:
            return error


# ---- What a case has ---------------------------------------------------------

def tensors_of(case):
    for value in case["args"]:
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, torch.Tensor):
                yield one


def has_dtype(case, *names):
    return any(NAMES[t.dtype] in names for t in tensors_of(case))


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


# ---- What peer_ops reads -----------------------------------------------------

class Writer:
    """Cases as words, and the bytes that their tensors have."""

    def __init__(self, folder):
        self.cases = open(folder / "cases", "w", encoding="ascii")
        self.data = open(folder / "data", "wb")
        self.at = 0
        self.leaves = set()  # of the case that is written, by their ids

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
        return ["g" if id(tensor) in self.leaves else "t", layout,
                NAMES[tensor.dtype], begin, tensor.dim(), *tensor.shape,
                *tensor.stride()]

    def argument(self, kind, value, layouts):
        if value is None:
            return ["-"]
        if kind in ("Tensor", "Tensor?"):
            return self.tensor(value, next(layouts))
        if kind in ("Tensor[]", "Tensor?[]"):
            words = [["-"] if one is None else
                     self.tensor(one, next(layouts)) for one in value]
            return ["l", len(value)] + sum(words, [])
        if kind == "Number":
            if isinstance(value, complex):
                return ["n", "c", value.real.hex(), value.imag.hex()]
            letter = {bool: "b", int: "i", float: "f"}[type(value)]
            return ["n", letter, number_word(value)]
        if kind == "Number[]":
            words = [self.argument("Number", one, layouts)[1:] for one in value]
            return ["m", len(value)] + sum(words, [])
        if kind == "Dims" and value == "none":
            return ["v", -1]
        if kind in ("Dims", "Shape", "int[]"):
            return ["v", len(value), *value]
        if kind == "float":
            return ["r", number_word(value)]
        if kind in ("Dtype", "Dtype?"):
            return ["d", NAMES[value]]
        if kind in VALUES and isinstance(value, str):
            values = VALUES[kind]  # -1 for a name that PyTorch refuses too
            return ["i", values.index(value) if value in values else -1]
        return ["s" if kind == "Text" else "i", number_word(value)]

    def case(self, number, case):
        layouts = iter(case.get("layouts") or itertools.repeat("R"))
        parameters = OPERATORS[case["name"]]["parameters"]
        form, grads = case["form"], case.get("grads")
        if grads is not None:
            form = "gradient" + "_in_place" * (form == "in_place")
        words = [number, case["name"], form, case.get("mesh", "a=1"),
                 len(case["args"])]
        self.leaves = {id(leaf) for leaf in case.get("leaves", [])}
        for (kind, _, _), value in zip(parameters, case["args"]):
            words += self.argument(kind, value, layouts)
        if case["form"] == "out":
            words += self.tensor(case["out"])
        if grads is not None:
            words += [len(grads)] + sum(
                [["-"] if grad is None else self.tensor(grad, next(layouts))
                 for grad in grads], [])
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
            if rest[0] == "-":  # a gradient that there is none of
                results.append(None)
                rest = rest[1:]
                continue
            dtype, layout, ndim = DTYPES[rest[0]], rest[1], int(rest[2])
            shape = [int(word) for word in rest[3:3 + ndim]]
            strides = [int(word) for word in rest[3 + ndim:3 + 2 * ndim]]
            rest = rest[3 + 2 * ndim:]
            count = math.prod(shape)
            results.append((torch.frombuffer(
                elements, dtype=dtype, count=count, offset=at).clone()
                if count else torch.empty(0, dtype=dtype)).reshape(shape))
            at += count * results[-1].element_size()
            had = found.setdefault(number, {"layouts": [], "strides": []})
            had["layouts"].append(layout)
            had["strides"].append(strides)
        found.setdefault(number, {"layouts": [], "strides": []}).update(
            results=results, calls=words[1], bytes=int(words[2]))
    return found


def run_while_it_writes(command, output):
    """Run a program; tell whether it failed, and what it said.  One that adds
    nothing to its output for long enough is ended."""
    written = -1
    with subprocess.Popen(command, stderr=subprocess.PIPE) as running:
        while True:
            try:
                said = running.communicate(timeout=100)[1]
                return running.returncode != 0, said
            except subprocess.TimeoutExpired:
                size = output.stat().st_size if output.exists() else 0
                if size == written:
                    running.kill()
                    return True, b"timeout " + running.communicate()[1]
                written = size


def run_ours(program, ranks, folder):
    """Give the results by number; a case that kills the program has "died"."""
    lines = (folder / "cases").read_text().splitlines(keepends=True)
    found = {}
    while lines:
        (folder / "cases").write_text("".join(lines))
        failed, said = run_while_it_writes(
            [program, str(ranks), folder / "cases", folder / "data",
             folder / "ours"], folder / "ours")
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
