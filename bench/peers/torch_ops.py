# bench/peers/torch_ops.py - operators of PyTorch, timed.
# SPDX-License-Identifier: Apache-2.0
"""Reads NAME:BYTES:OPERANDS, such as "add:4096:a,b", and answers each line with
the seconds that one call takes: the median of a few rounds, by the time of this
process on a processor, or by the time that passes if the argument asks for more
than one thread.  Operands are kept while the lines are the same.
What cannot be timed is answered with a sentence."""

import math
import statistics
import sys
import time

import torch
import torch.nn.functional as F

aten = torch.ops.aten

# As bench/support/timing.c and bench/ops.c.
ROUND, TURN, SLOW, MAX_BATCH, WARM_UPS = 0.5e-3, 3e-3, 20e-3, 2048, 3
MAX_ROUNDS = 41


def width(n):
    return min(n, 512)


def batch(n):
    k = 16 if n < 64 else 64 if n < 1024 else 256
    return n * n // (k * k), k, k


def heads(n):
    return ((1, 2, 16, 32) if n < 64 else
            (1, 8, 128, 64) if n < 1024 else (32, 16, 256, 128))


def integers(shape, end, dtype=torch.int64):
    return torch.randint(end, shape, dtype=dtype)


# By their names in bench/operators/operands.c, from the side of a matrix.
OPERANDS = {
    "a": lambda n: torch.randn(n, n),
    "b": lambda n: torch.randn(n, n),
    "c": lambda n: torch.randn(n, n),
    "d": lambda n: torch.randn(n, n),
    "positive": lambda n: torch.rand(n, n) + 0.5,
    "unit": lambda n: torch.rand(n, n),
    "target": lambda n: torch.rand(n, n),
    "row": torch.randn,
    "row2": torch.randn,
    "column": lambda n: torch.randn(n, 1),
    "mask": lambda n: integers((n, n), 2).bool(),
    "index": lambda n: integers((n, n), n),
    "rows": lambda n: integers((n,), n),
    "places": lambda n: integers((n * n,), n),
    "bf16": lambda n: torch.randn(n, n).bfloat16(),
    "f16": lambda n: torch.randn(n, n).half(),
    "f64": lambda n: torch.randn(n, n).double(),
    "i32": lambda n: integers((n, n), n, torch.int32),
    "short": lambda n: torch.randn(4 * n, n // 4),
    "long": lambda n: torch.randn(n * n),
    "long2": lambda n: torch.randn(n * n),
    "weight": lambda n: torch.randn(width(n), n),
    "outer": lambda n: torch.randn(n, width(n)),
    "batch": lambda n: torch.randn(batch(n)),
    "batch2": lambda n: torch.randn(batch(n)),
    "query": lambda n: torch.randn(heads(n)),
    "key": lambda n: torch.randn(heads(n)),
    "value": lambda n: torch.randn(heads(n)),
    "latest": lambda n: torch.randn(*heads(n)[:2], 1, heads(n)[3]),
    "one": lambda n: torch.randn(1, n),
    "four": lambda n: torch.randn(4, n),
    "sixteen": lambda n: torch.randn(16, n),
    "zeros": lambda n: torch.zeros(n, n),
    "zeros2": lambda n: torch.zeros(n, n),
    "step": lambda n: torch.zeros(()),
}

def cross_entropy_both(logits, target, grad):
    """What autograd calls for it, without its own cost."""
    logs = torch.log_softmax(logits, -1)
    loss, total = aten.nll_loss_forward.default(logs, target, None, 1, -100)
    inner = aten.nll_loss_backward.default(grad, logs, target, None, 1, -100,
                                           total)
    return loss, torch._log_softmax_backward_data(inner, logs, -1,
                                                  torch.float32)


def attention_both(query, key, value, grad):
    """What autograd calls for it, without its own cost."""
    out, sums = torch._scaled_dot_product_flash_attention_for_cpu(
        query, key, value, 0.0, True)
    flash = aten._scaled_dot_product_flash_attention_for_cpu_backward.default
    return out, flash(grad, query, key, value, out, sums, 0.0, True)


STEP = torch.tensor(3.0)


def adamw_step(weight, grad, average, square):
    torch._fused_adamw_([weight], [grad], [average], [square], [], [STEP],
                        lr=1e-3, beta1=0.9, beta2=0.999, weight_decay=0.01,
                        eps=1e-8, amsgrad=False, maximize=False)


def sgd_step(weight, grad, momentum):
    torch._fused_sgd_([weight], [grad], [momentum], weight_decay=0.0,
                      momentum=0.9, lr=1e-3, dampening=0.0, nesterov=False,
                      maximize=False, is_first_step=False)


def rms_norm_both(grad, x, weight):
    """There is no function for the gradient: autograd."""
    with torch.enable_grad():
        x, weight = (leaf.detach().requires_grad_() for leaf in (x, weight))
        y = F.rms_norm(x, weight.shape, weight, 1e-5)
        return torch.autograd.grad(y, (x, weight), grad)


CALLS = {
    # arithmetic
    "add": torch.add,
    "add alpha": lambda a, b: torch.add(a, b, alpha=0.5),
    "add row": torch.add,
    "add in place": lambda a, b: a.add_(b),
    "add number": lambda a: torch.add(a, 1.5),
    "add lists": lambda a, b, c, d: torch._foreach_add((a, b), (c, d)),
    "mul lists": lambda a, b, c, d: torch._foreach_mul((a, b), (c, d)),
    "norm lists": lambda a, b, c, d: torch._foreach_norm((a, b, c, d), 2),
    "sub": torch.sub,
    "mul": torch.mul,
    "mul column": torch.mul,
    "mul number": lambda a: torch.mul(a, 1.5),
    "mul number in place": lambda a: a.mul_(1.0),
    "div": torch.div,
    "maximum": torch.maximum,
    "neg": torch.neg,
    "abs": torch.abs,
    "square": torch.square,
    "reciprocal": torch.reciprocal,
    "sqrt": torch.sqrt,
    "rsqrt": torch.rsqrt,
    # functions
    "exp": torch.exp,
    "log": torch.log,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "silu": F.silu,
    "gelu": F.gelu,
    "gelu tanh": lambda a: F.gelu(a, approximate="tanh"),
    "relu": torch.relu,
    "pow 2": lambda a: torch.pow(a, 2),
    "pow 1.5": lambda a: torch.pow(a, 1.5),
    "pow": torch.pow,
    "exp2": torch.exp2,
    "expm1": torch.expm1,
    "log2": torch.log2,
    "log1p": torch.log1p,
    "sin": torch.sin,
    "cos": torch.cos,
    "tan": torch.tan,
    "atan": torch.atan,
    "atan2": torch.atan2,
    "asin": torch.asin,
    "sinh": torch.sinh,
    "asinh": torch.asinh,
    "erf": torch.erf,
    "erfc": torch.erfc,
    # mixed
    "clamp": lambda a: torch.clamp(a, -1.0, 1.0),
    "lerp": lambda a, b: torch.lerp(a, b, 0.3),
    "addcmul": torch.addcmul,
    "addcdiv": torch.addcdiv,
    "masked_fill": lambda a, m: torch.masked_fill(a, m, 1.5),
    "div floor": lambda a, b: torch.div(a, b, rounding_mode="floor"),
    "remainder": torch.remainder,
    "floor": torch.floor,
    "round": torch.round,
    "sign": torch.sign,
    "isnan": torch.isnan,
    "nan_to_num": torch.nan_to_num,
    "bitwise_and": torch.bitwise_and,
    # activation
    "leaky_relu": F.leaky_relu,
    "elu": F.elu,
    "softplus": F.softplus,
    "mish": F.mish,
    "hardswish": F.hardswish,
    "log_sigmoid": F.logsigmoid,
    "gelu backward": aten.gelu_backward.default,
    "gelu tanh backward": lambda g, a: aten.gelu_backward.default(
        g, a, approximate="tanh"),
    "silu backward": aten.silu_backward.default,
    "sigmoid backward": aten.sigmoid_backward.default,
    "tanh backward": aten.tanh_backward.default,
    "relu backward": lambda g, a: aten.threshold_backward.default(g, a, 0),
    "leaky_relu backward": lambda g, a: aten.leaky_relu_backward.default(
        g, a, 0.01, False),
    "elu backward": lambda g, a: aten.elu_backward.default(
        g, 1, 1, 1, False, a),
    "softplus backward": lambda g, a: aten.softplus_backward.default(
        g, a, 1, 20),
    "mish backward": aten.mish_backward.default,
    "hardswish backward": aten.hardswish_backward.default,
    # compare
    "eq": torch.eq,
    "lt": torch.lt,
    "gt number": lambda a: torch.gt(a, 1.5),
    "logical_and": torch.logical_and,
    "where": torch.where,
    # cast
    "f32 to bf16": lambda a: a.to(torch.bfloat16),
    "bf16 to f32": lambda a: a.to(torch.float32),
    "f32 to f16": lambda a: a.to(torch.float16),
    "f16 to f32": lambda a: a.to(torch.float32),
    "f32 to f64": lambda a: a.to(torch.float64),
    "f64 to f32": lambda a: a.to(torch.float32),
    "f64 to bf16": lambda a: a.to(torch.bfloat16),
    "f32 to i32": lambda a: a.to(torch.int32),
    "i32 to f32": lambda a: a.to(torch.float32),
    "f32 to i64": lambda a: a.to(torch.int64),
    "i64 to f32": lambda a: a.to(torch.float32),
    "i64 to bf16": lambda a: a.to(torch.bfloat16),
    "bool to f32": lambda a: a.to(torch.float32),
    # copy
    "clone": torch.clone,
    "transpose, copied": lambda a: a.t().contiguous(),
    "transpose, a view": lambda a: a.transpose(0, 1),
    "cat": lambda a, b: torch.cat((a, b), 0),
    "cat columns": lambda a, b: torch.cat((a, b), 1),
    "stack": lambda a, b: torch.stack((a, b), 0),
    "split in 4": lambda a: torch.chunk(a, 4, 1),
    "repeat": lambda a: a.repeat(2, 1),
    "tril": torch.tril,
    "roll": lambda a: torch.roll(a, 3, 1),
    "flip": lambda a: torch.flip(a, (1,)),
    "fill in place": lambda a: a.fill_(1.5),
    "copy in place": lambda a, b: a.copy_(b),
    # reduce
    "sum": torch.sum,
    "sum last dim": lambda a: torch.sum(a, -1),
    "sum dim 0": lambda a: torch.sum(a, 0),
    "sum short rows": lambda a: torch.sum(a, -1),
    "mean last dim": lambda a: torch.mean(a, -1, keepdim=True),
    "amax": torch.amax,
    "amax last dim": lambda a: torch.amax(a, -1),
    "amax dim 0": lambda a: torch.amax(a, 0),
    "max last dim": lambda a: torch.max(a, -1),
    "argmax last dim": lambda a: torch.argmax(a, -1),
    "argmax dim 0": lambda a: torch.argmax(a, 0),
    "prod last dim": lambda a: torch.prod(a, -1),
    "norm": torch.linalg.vector_norm,
    "norm last dim": lambda a: torch.linalg.vector_norm(a, 2, -1),
    "any last dim": lambda a: torch.any(a, -1),
    "var last dim": lambda a: torch.var(a, -1),
    "var dim 0": lambda a: torch.var(a, 0),
    "std": torch.std,
    "logsumexp": lambda a: torch.logsumexp(a, -1),
    # order
    "sort": lambda a: torch.sort(a, -1),
    "sort short rows": lambda a: torch.sort(a, -1),
    "kthvalue 8": lambda a: torch.kthvalue(a, 8, -1),
    "median": lambda a: torch.median(a, -1),
    "cumsum": lambda a: torch.cumsum(a, -1),
    "cumsum dim 0": lambda a: torch.cumsum(a, 0),
    "cummax": lambda a: torch.cummax(a, -1),
    "topk 8": lambda a: torch.topk(a, 8, -1),
    # softmax
    "softmax": lambda a: torch.softmax(a, -1),
    "softmax dim 0": lambda a: torch.softmax(a, 0),
    "softmax short rows": lambda a: torch.softmax(a, -1),
    "log_softmax": lambda a: torch.log_softmax(a, -1),
    "softmax backward": lambda a, b: torch._softmax_backward_data(
        a, b, -1, torch.float32),
    "log_softmax backward": lambda a, b: torch._log_softmax_backward_data(
        a, b, -1, torch.float32),
    # norm
    "layer_norm": lambda a, w, b: torch.native_layer_norm(
        a, w.shape, w, b, 1e-5),
    "rms_norm": lambda a, w: torch._fused_rms_norm(a, w.shape, w, 1e-5),
    "layer_norm backward":
        lambda g, a, m, w, b: aten.native_layer_norm_backward.default(
            g, a, w.shape, m, m, w, b, [True, True, True]),
    "rms_norm and gradient": rms_norm_both,
    # loss
    "cross_entropy": F.cross_entropy,
    "cross_entropy and gradient": cross_entropy_both,
    "nll_loss": lambda a, t: aten.nll_loss_forward.default(a, t, None, 1, -100),
    "mse_loss": F.mse_loss,
    "mse_loss backward": lambda g, a, b: aten.mse_loss_backward.default(
        g, a, b, 1),
    "l1_loss": F.l1_loss,
    "smooth_l1_loss": F.smooth_l1_loss,
    # embedding
    "embedding": torch.embedding,
    "embedding backward": lambda g, i: aten.embedding_dense_backward.default(
        g, i, len(g), -1, False),
    # index
    "gather": lambda a, i: torch.gather(a, 1, i),
    "gather dim 0": lambda a, i: torch.gather(a, 0, i),
    "index_select rows": lambda a, i: torch.index_select(a, 0, i),
    "index_select columns": lambda a, i: torch.index_select(a, 1, i),
    "scatter": lambda a, i, b: torch.scatter(a, 1, i, b),
    "scatter_add": lambda a, i, b: torch.scatter_add(a, 1, i, b),
    "scatter_add dim 0": lambda a, i, b: torch.scatter_add(a, 0, i, b),
    "index_add rows": lambda a, i, b: torch.index_add(a, 0, i, b),
    "index rows": lambda a, i: a[i],
    "index_put rows": lambda a, i, b: torch.index_put(a, (i,), b),
    "index_put, added": lambda a, i, b: torch.index_put(a, (i,), b, True),
    "bincount": torch.bincount,
    "masked_select": torch.masked_select,
    "nonzero": torch.nonzero,
    "one_hot": lambda i: F.one_hot(i, len(i)),
    # product
    "mm": torch.mm,
    "linear": F.linear,
    "addmm": torch.addmm,
    "bmm": torch.bmm,
    "einsum": lambda a, b: torch.einsum("bij,bkj->bik", a, b),
    "mm bf16": torch.mm,
    "mm 1 row": torch.mm,
    "mm 4 rows": torch.mm,
    "mm 16 rows": torch.mm,
    "linear 1 row": F.linear,
    "linear 4 rows": F.linear,
    "linear 16 rows": F.linear,
    "mv": torch.mv,
    "dot": torch.dot,
    # attention
    "attention": F.scaled_dot_product_attention,
    "attention of one query": F.scaled_dot_product_attention,
    "attention causal": lambda q, k, v: F.scaled_dot_product_attention(
        q, k, v, is_causal=True),
    "attention causal and gradient": attention_both,
    # optimizer
    "AdamW step": adamw_step,
    "SGD step": sgd_step,
    # random
    "native_dropout": lambda a: torch.native_dropout(a, 0.1, True),
    "normal in place": lambda a: a.normal_(),
    "uniform in place": lambda a: a.uniform_(),
    "bernoulli in place": lambda a: a.bernoulli_(0.3),
    "exponential in place": lambda a: a.exponential_(),
    "dropout": lambda a: torch.dropout(a, 0.1, True),
    "rand": lambda a: torch.rand(a.shape),
    "randn": lambda a: torch.randn(a.shape),
}


def clamp(value, low, high):
    return int(min(max(value, low), high))


THREADS = int(sys.argv[1])
now = time.process_time_ns if THREADS == 1 else time.perf_counter_ns


def time_round(call, operands, batch):
    repeat = range(batch)
    begin = now()
    for _ in repeat:
        call(*operands)
    return max(now() - begin, 1) * 1e-9 / batch


class Case:
    """A call with its operands, warmed up."""

    def __init__(self, line):
        name, size, takes = line.split(":")
        side = math.isqrt(int(size) // 4)
        self.line = line
        self.call = CALLS[name]
        self.operands = [OPERANDS[kind](side) for kind in takes.split(",")]
        self.estimate = time_round(self.call, self.operands, 1)
        if self.estimate > SLOW:
            return
        for _ in range(WARM_UPS):
            batch = clamp(0.1 * ROUND / self.estimate, 1, MAX_BATCH)
            self.estimate = time_round(self.call, self.operands, batch)

    def time_turn(self):
        batch = clamp(ROUND / self.estimate, 1, MAX_BATCH)
        rounds = clamp(TURN / (self.estimate * batch), 1, MAX_ROUNDS)
        return statistics.median(
            time_round(self.call, self.operands, batch)
            for _ in range(rounds))


def main():
    torch.set_num_threads(THREADS)
    case = None
    with torch.no_grad():
        for line in sys.stdin:
            line = line.rstrip("\n")
            try:
                if not case or case.line != line:
                    case = None
                    case = Case(line)
                print(f"{case.time_turn():.12f}", flush=True)
            except Exception as error:  # said, and the next one is timed
                sentence = str(error).splitlines() or [""]
                print(f"{line}: {type(error).__name__}: {sentence[0]}",
                      flush=True)


main()
