# tests/peers/opinfo_capture.py - calls of ATen that PyTorch makes, as cases.
# SPDX-License-Identifier: Apache-2.0
"""Of opinfo.py.  A sample of OpInfo calls a Python function, such as
torch.nn.functional.layer_norm.  Capture sees which operators of ATen that calls,
before composite ones are taken apart, and asks translate() for a case of each
one that has a name here; others are taken apart, and their parts are seen."""

from ops_calls import NAMES, OPERATORS
import torch
from torch._dispatch.python import enable_python_dispatcher
from torch._subclasses.schema_check_mode import SchemaCheckMode
from torch.utils._python_dispatch import TorchDispatchMode

MOST_DIMENSIONS = 8
MOST_TENSORS = 64   # of a list, as in ops.c
MOST_RESULTS = 200  # of an operator that returns a list
LARGEST = 1 << 20   # bytes of a tensor; larger ones are left to benchmarks
END = (1 << 63) - 1


class Untranslatable(Exception):
    """A call that cannot be written as one of ours; says why."""


# ---- Rows by ATen's names ----------------------------------------------------

def read_names():
    """Our operators, by the overloads of ATen that rows name."""
    found = {}
    for name, operator in OPERATORS.items():
        for aten in operator["aten"]:
            base, _, overload = aten.partition(".")
            found[base, overload or "default"] = name
    return found


ROWS = read_names()


def find_row(func):
    """The row for an overload of ATen and the form; None if there is none."""
    base, overload = func._schema.name.split("::")[1], func._overloadname
    form = "new"
    name = ROWS.get((base, overload))
    if name is None and base.endswith("_") and not base.startswith("__"):
        name, form = ROWS.get((base[:-1], overload)), "in_place"
    elif base.endswith("_") and name is not None:
        form = "in_place"
    if name is None or name not in OPERATORS:
        return None, form
    if form not in OPERATORS[name]["forms"]:
        return None, form
    return name, form


# ---- Arguments ---------------------------------------------------------------

# Names of our parameters and of ATen's arguments, where they differ.
RENAMED = {
    "dims": ["dim", "dims"], "p": ["ord", "p"], "shape": ["size"],
    "size": ["split_size", "size"], "sizes": ["split_sizes", "split_size",
                                              "sizes"],
    "pieces": ["chunks"], "value": ["fill_value", "value"],
    "other": ["scalar", "tensor", "other"],
    "scalars": ["exponent", "scalars"], "min": ["scalar", "min"],
    "max": ["scalar", "max"], "operands": ["tensors"], "stop": ["end"],
    "start": ["start_dim", "start"], "end": ["end_dim"],
    "n": ["N", "n"], "c": ["C"], "hxw": ["HxW"],
    "grad_output": ["grad_out", "grad", "grad_output"],
    "self": ["input", "self"], "tensor_lr": [],
}
# Arguments of ATen that say nothing about values.
WITHOUT_MEANING = {
    "non_blocking", "copy", "memory_format", "layout", "device", "pin_memory",
    "implicit", "sparse_grad", "sparse", "scale_grad_by_freq", "path",
    "output_size", "buffer", "generator", "return_debug_mask"}


def bind(func, args, kwargs):
    """ATen's arguments by name; those that are absent have their defaults."""
    bound = {}
    for place, argument in enumerate(func._schema.arguments):
        if place < len(args):
            bound[argument.name] = args[place]
        elif argument.name in kwargs:
            bound[argument.name] = kwargs[argument.name]
        else:
            bound[argument.name] = argument.default_value
    return bound


def unbiased(bound):
    """Variances have a correction here."""
    if "unbiased" in bound:
        bound["correction"] = float(bound.pop("unbiased"))
    if "correction" in bound and bound["correction"] is None:
        bound["correction"] = 1.0


def adapt_slice(bound):
    bound["start"] = 0 if bound["start"] is None else bound["start"]
    bound["end"] = END if bound["end"] is None else bound["end"]


def adapt_softmax(bound):
    if bound.pop("half_to_float", False):
        bound["dtype"] = torch.float32


def adapt_side(bound):
    """`side` is another word for `right`."""
    if bound.pop("sorter") is not None:
        raise Untranslatable("no argument sorter")
    side = bound.pop("side")
    if side not in (None, "left", "right") or (
            side == "left" and bound["right"]):
        raise Untranslatable("side contradicts right")
    bound["right"] = bound["right"] or side == "right"


def adapt_tensor_lr(bound):
    if isinstance(bound["lr"], torch.Tensor):
        bound["tensor_lr"], bound["lr"] = bound["lr"], 0.001


def adapt_alpha(bound):
    if bound.pop("alpha") != 1:
        raise Untranslatable("rsub_scalar has no alpha")


def adapt_from(bound):
    bound.setdefault("from", 0)
    if bound["to"] is None:
        raise Untranslatable("random without an upper bound")


ADAPT = {"slice": adapt_slice, "slice_scatter": adapt_slice,
         "softmax": adapt_softmax, "log_softmax": adapt_softmax,
         "searchsorted": adapt_side, "fused_adam": adapt_tensor_lr,
         "fused_adamw": adapt_tensor_lr, "fused_sgd": adapt_tensor_lr,
         "rsub_scalar": adapt_alpha, "random": adapt_from,
         "var": unbiased, "std": unbiased, "var_mean": unbiased,
         "std_mean": unbiased}
# Operators whose dims=[] is no dimension, where it is all elsewhere.
EMPTY_IS_NONE = {"any", "all", "squeeze"}


def other_row(name, bound):
    """The row for what a value of an argument makes another operator."""
    if name in ("argmax", "argmin") and bound["dim"] is None:
        if bound.pop("keepdim"):
            raise Untranslatable("argmax_all has no keepdim")
        del bound["dim"]
        return f"{name}_all"
    if name.startswith("div_mode") and bound["rounding_mode"] is None:
        del bound["rounding_mode"]
        return name.replace("div_mode", "div")
    if name == "clamp" and None in (bound["min"], bound["max"]):
        none = "min" if bound["min"] is None else "max"
        del bound[none]
        return "clamp_max" if none == "min" else "clamp_min"
    return name


def copy_tensor(tensor):
    """A tensor of its own storage, laid out alike."""
    if getattr(tensor, "is_copy", False):
        return tensor
    if tensor.dtype not in NAMES:
        raise Untranslatable(f"dtype {tensor.dtype}")
    if tensor.dim() > MOST_DIMENSIONS:
        raise Untranslatable(f"{tensor.dim()} dimensions")
    if tensor.layout != torch.strided:
        raise Untranslatable(f"layout {tensor.layout}")
    if tensor.device.type != "cpu":
        raise Untranslatable(f"device {tensor.device}")
    tensor = tensor.detach().resolve_conj().resolve_neg()
    if tensor.untyped_storage().nbytes() > LARGEST:
        raise Untranslatable("a large tensor")
    copy = torch.empty(0, dtype=tensor.dtype)
    copy.set_(tensor.untyped_storage().clone(), tensor.storage_offset(),
              tensor.shape, tensor.stride())
    copy.is_copy = True
    return copy


def to_list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def convert_dims(name, value):
    if value is None:
        return []
    return ("none" if value in ([], ()) and name in EMPTY_IS_NONE
            else to_list(value))


def convert(name, kind, value):
    """The value of an argument as a parameter of this kind takes it."""
    if kind in ("Tensor", "Tensor?"):
        if value is None and kind == "Tensor":
            raise Untranslatable("an absent tensor")
        return None if value is None else copy_tensor(value)
    if kind in ("Tensor[]", "Tensor?[]"):
        if len(value) > MOST_TENSORS:
            raise Untranslatable("a longer list than fits")
        return [None if one is None else copy_tensor(one) for one in value]
    if kind == "Dims":
        return convert_dims(name, value)
    if kind in ("Shape", "int[]"):
        return [int(one) for one in to_list(value)]
    if kind == "Number[]":
        return list(value)
    if kind == "Generator?":
        return None
    if kind in ("Dtype", "Dtype?"):
        if value is not None and value not in NAMES:
            raise Untranslatable(f"dtype {value}")
        return value
    if value is None:
        raise Untranslatable(f"None for a {kind}")
    if isinstance(value, complex) and kind != "Number":
        raise Untranslatable(f"a complex {kind}")
    if kind == "float":
        return float(value)
    if kind == "Text":
        return value.replace(" ", "") or '""'
    return {"int": int, "Dim": int, "bool": bool}.get(
        kind, lambda same: same)(value)


def take(bound, name):
    """Remove an argument, by the name that ATen has for it."""
    for key in RENAMED.get(name, []) + [name]:
        if key in bound:
            return True, bound.pop(key)
    return False, None


def translate(func, args, kwargs):
    """A case for a call of ATen; None if no row serves it."""
    name, form = find_row(func)
    if name is None:
        return None
    bound = bind(func, args, kwargs)
    name = other_row(name, bound)
    ADAPT.get(name, lambda _: None)(bound)
    values = []
    defaults = OPERATORS[name]["defaults"]
    for kind, parameter, option in OPERATORS[name]["parameters"]:
        there, value = take(bound, parameter)
        if not there and parameter == "keepdim":
            value = False
        elif not there and parameter == "dims":
            value = None
        elif (not there or value is None) and option:
            values.append(defaults[parameter])
            continue
        elif not there:
            raise Untranslatable(f"no argument {parameter}")
        values.append(convert(name, kind, value))
    check_rest(func, bound)
    return {"name": name, "form": form, "args": values,
            "asks_order": asks_order(bound)}


def asks_order(bound):
    """Whether a call asks for an order of elements in memory, which rows do not
    take as an argument."""
    return bound.get("memory_format") not in (None, torch.preserve_format)


def check_rest(func, bound):
    """What no parameter takes must have its default."""
    usual = {a.name: a.default_value for a in func._schema.arguments}
    for name, value in bound.items():
        if name not in WITHOUT_MEANING and value != usual.get(name):
            raise Untranslatable(f"no parameter for {name}")


# ---- Seeing calls ------------------------------------------------------------

def results_of(value):
    """PyTorch's results as a list of tensors."""
    values = list(value) if isinstance(value, (tuple, list)) else [value]
    if len(values) > MOST_RESULTS:
        raise Untranslatable("more results than fit")
    return [None if one is None else torch.tensor(one)
            if not isinstance(one, torch.Tensor)
            else one.detach().resolve_conj().resolve_neg().clone()
            for one in values]


class Recorder:
    """Cases with what PyTorch returned for them, and what was not one."""

    def __init__(self):
        self.cases, self.untranslated = [], {}

    def note(self, func, error):
        key = (str(func), str(error))
        self.untranslated[key] = self.untranslated.get(key, 0) + 1

    def begin(self, func, args, kwargs):
        try:
            case = translate(func, args, kwargs)
        except Untranslatable as error:
            self.note(func, error)
            return None
        if case is not None:
            first = next((t for t in case["args"]
                          if isinstance(t, torch.Tensor)), torch.zeros(0))
            case["first"] = first.clone()
        return case

    def call(self, func, args, kwargs, case):
        """Run PyTorch's operator, and keep the case with what it returned."""
        try:
            value = func(*args, **kwargs)
        except (RuntimeError, IndexError, ValueError, TypeError,
                NotImplementedError) as error:
            case["theirs"] = error
            self.cases.append(case)
            raise
        try:
            case["theirs"] = results_of(
                args[0] if value is None else value)
            self.cases.append(case)
        except Untranslatable as error:
            self.note(func, error)
        return value


class Capture(SchemaCheckMode):
    """Sees operators before they are taken apart.  PyTorch takes modes of three
    classes at that place; of this one, only the class is used."""

    def __init__(self, recorder):
        super().__init__()
        self.recorder = recorder
        self._dispatch_key = torch._C.DispatchKey.PreDispatch

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        case = self.recorder.begin(func, args, kwargs)
        if case is not None:
            return self.recorder.call(func, args, kwargs, case)
        if find_row(func)[0] is None and func._can_decompose():
            with self:
                return func.decompose(*args, **kwargs)
        return func(*args, **kwargs)


class CaptureBackward(TorchDispatchMode):
    """Sees operators that autograd calls, of which those with rows of gradients
    are taken."""

    def __init__(self, recorder):
        super().__init__()
        self.recorder = recorder

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = find_row(func)[0]
        case = None
        if name is not None and "backward" in name:
            case = self.recorder.begin(func, args, kwargs)
        if case is None:
            return func(*args, **kwargs)
        return self.recorder.call(func, args, kwargs, case)


def capture(recorder, function, *args, **kwargs):
    """Call a function; False if it failed."""
    try:
        with enable_python_dispatcher(), Capture(recorder):
            function(*args, **kwargs)
    except Exception:  # pylint: disable=broad-except
        return False
    return True
