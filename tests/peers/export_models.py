# tests/peers/export_models.py - small models as PyTorch exports them.
# SPDX-License-Identifier: Apache-2.0
"""Small models as PyTorch exports them.

python export_models.py FOLDER [NAME...] writes FOLDER/NAME-DIALECT.pt2 for every
model and dialect, and the inputs and outputs of calls as NAME.CALL.in0.npy,
NAME.CALL.out0.npy and so on; what a call leaves in its inputs is
NAME.CALL.after0.npy.  A model with a state is called several times, so is one
with dynamic sizes.  The files in tests/golden/graph were written with PyTorch
2.13; graph.py compares with files that are written anew."""

import pathlib
import sys

import numpy as np
import torch
from torch import nn
from torch.export import Dim, export
from torch.nn import functional as F


# ---- Models ----------------------------------------------------------------

class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 10), nn.GELU(),
                                    nn.Linear(10, 10), nn.ReLU(),
                                    nn.LayerNorm(10), nn.Linear(10, 3))

    def forward(self, x):
        return torch.softmax(self.layers(x), -1)


class Attention(nn.Module):
    """Causal attention of GPT-2: one product for q, k and v."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.c_attn = nn.Linear(width, 3 * width)
        self.c_proj = nn.Linear(width, width)

    def forward(self, x):
        batch, time, width = x.shape
        q, k, v = self.c_attn(x).split(width, dim=2)

        def by_head(y):
            return y.view(batch, time, self.heads, -1).transpose(1, 2)

        y = F.scaled_dot_product_attention(by_head(q), by_head(k), by_head(v),
                                           is_causal=True)
        y = y.transpose(1, 2).contiguous().view(batch, time, width)
        return self.c_proj(y)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = Attention(width, heads)
        self.ln_2 = nn.LayerNorm(width)
        self.c_fc = nn.Linear(width, 4 * width)
        self.c_proj = nn.Linear(4 * width, width)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        y = F.gelu(self.c_fc(self.ln_2(x)), approximate="tanh")
        return x + self.c_proj(y)


class GPT2(nn.Module):
    """With tied weights of the embedding and the last layer."""

    def __init__(self, vocabulary=31, width=16, heads=2, layers=2, length=12):
        super().__init__()
        self.wte = nn.Embedding(vocabulary, width)
        self.wpe = nn.Embedding(length, width)
        self.h = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.ln_f = nn.LayerNorm(width)
        self.lm_head = nn.Linear(width, vocabulary, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, tokens):
        places = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.wte(tokens) + self.wpe(places)
        for block in self.h:
            x = block(x)
        return self.lm_head(self.ln_f(x))


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        scale = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
        return self.weight * (x * scale)


def rotate(x):
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), -1)


class LlamaAttention(nn.Module):
    """Grouped queries, rotary positions, perhaps a cache of keys and values."""

    def __init__(self, width, heads, groups, cache):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, width // heads
        self.q_proj = nn.Linear(width, width, bias=False)
        self.k_proj = nn.Linear(width, groups * self.size, bias=False)
        self.v_proj = nn.Linear(width, groups * self.size, bias=False)
        self.o_proj = nn.Linear(width, width, bias=False)
        self.cache = cache
        if cache:
            shape = (1, groups, cache, self.size)
            self.register_buffer("k_cache", torch.zeros(shape))
            self.register_buffer("v_cache", torch.zeros(shape))

    def forward(self, x, cos, sin, mask, place):
        batch, time, width = x.shape

        def by_head(y, heads):
            return y.view(batch, time, heads, self.size).transpose(1, 2)

        q = by_head(self.q_proj(x), self.heads)
        k = by_head(self.k_proj(x), self.groups)
        v = by_head(self.v_proj(x), self.groups)
        q = q * cos + rotate(q) * sin
        k = k * cos + rotate(k) * sin
        if self.cache:
            self.k_cache[:, :, place] = k
            self.v_cache[:, :, place] = v
            k, v = self.k_cache, self.v_cache
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask,
                                           is_causal=mask is None,
                                           enable_gqa=True)
        return self.o_proj(y.transpose(1, 2).reshape(batch, time, width))


class LlamaBlock(nn.Module):
    def __init__(self, width, heads, groups, cache):
        super().__init__()
        self.input_layernorm = RMSNorm(width)
        self.self_attn = LlamaAttention(width, heads, groups, cache)
        self.post_attention_layernorm = RMSNorm(width)
        self.gate_proj = nn.Linear(width, 24, bias=False)
        self.up_proj = nn.Linear(width, 24, bias=False)
        self.down_proj = nn.Linear(24, width, bias=False)

    def forward(self, x, cos, sin, mask, place):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin, mask, place)
        y = self.post_attention_layernorm(x)
        return x + self.down_proj(F.silu(self.gate_proj(y)) * self.up_proj(y))


class Llama(nn.Module):
    def __init__(self, vocabulary=29, width=16, heads=4, groups=2, layers=2,
                 cache=0):
        super().__init__()
        self.cache = cache
        size = width // heads
        self.embed_tokens = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(LlamaBlock(width, heads, groups, cache)
                                    for _ in range(layers))
        self.norm = RMSNorm(width)
        self.lm_head = nn.Linear(width, vocabulary, bias=False)
        self.register_buffer(
            "inv_freq", 10000 ** (-torch.arange(0, size, 2) / size),
            persistent=False)

    def forward(self, tokens, place=None):
        x = self.embed_tokens(tokens)
        mask = None
        if place is None:
            place = torch.arange(tokens.shape[1])
        else:
            mask = torch.arange(self.cache) <= place[:, None]
        angles = place[:, None].to(torch.float32) * self.inv_freq[None, :]
        angles = torch.cat((angles, angles), -1)
        for layer in self.layers:
            x = layer(x, angles.cos(), angles.sin(), mask, place)
        return self.lm_head(self.norm(x))


class BertLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.dense = nn.Linear(width, width)
        self.LayerNorm = nn.LayerNorm(width, eps=1e-12)
        self.intermediate = nn.Linear(width, 24)
        self.output = nn.Linear(24, width)
        self.OutputNorm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, mask):
        batch, time, width = x.shape

        def by_head(y):
            return y.view(batch, time, self.heads, -1).permute(0, 2, 1, 3)

        q, k, v = (by_head(f(x)) for f in (self.query, self.key, self.value))
        scores = q @ k.transpose(-1, -2) / (width // self.heads) ** 0.5 + mask
        y = self.dropout(torch.softmax(scores, -1)) @ v
        y = y.permute(0, 2, 1, 3).contiguous().view(batch, time, width)
        x = self.LayerNorm(x + self.dropout(self.dense(y)))
        y = self.output(F.gelu(self.intermediate(x)))
        return self.OutputNorm(x + self.dropout(y))


class Bert(nn.Module):
    def __init__(self, vocabulary=23, width=12, heads=3, layers=2, length=10):
        super().__init__()
        self.words = nn.Embedding(vocabulary, width, padding_idx=0)
        self.positions = nn.Embedding(length, width)
        self.types = nn.Embedding(2, width)
        self.LayerNorm = nn.LayerNorm(width, eps=1e-12)
        self.layer = nn.ModuleList(BertLayer(width, heads)
                                   for _ in range(layers))
        self.pooler = nn.Linear(width, width)
        self.register_buffer("position_ids", torch.arange(length)[None])

    def forward(self, tokens, attention_mask):
        time = tokens.shape[1]
        mask = attention_mask[:, None, None, :].to(torch.float32)
        mask = (1.0 - mask) * torch.finfo(torch.float32).min
        x = (self.words(tokens) + self.types(torch.zeros_like(tokens)) +
             self.positions(self.position_ids[:, :time]))
        x = self.LayerNorm(x)
        for layer in self.layer:
            x = layer(x, mask)
        return x, torch.tanh(self.pooler(x[:, 0]))


class Buffers(nn.Module):
    """Reads a buffer, overwrites it, and returns it."""

    def __init__(self):
        super().__init__()
        self.register_buffer("memory", torch.arange(6.0))
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x, place):
        old = self.memory[1:4] * 2
        self.memory[place] = x
        self.count += 1
        return old + self.count, self.memory


def read_late(program):
    """Let the old buffer be read, through a view, after it is replaced."""
    find = {node.name: node for node in program.graph.nodes}
    find["index_put"].append(find["mul"])


class Mutate(nn.Module):
    """Overwrites an input."""

    def forward(self, x):
        x.mul_(2)
        return x.sum()


# ---- What is exported ------------------------------------------------------

def tokens(count, *shape):
    return torch.randint(0, count, shape)


def models():
    """Name, module, inputs of each call, and which sizes are dynamic."""
    yield "mlp", MLP(), [(torch.randn(5, 6),)], None
    yield "gpt2", GPT2(), [(tokens(31, 2, 7),)], None
    yield ("gpt2-dynamic", GPT2(layers=1), [(tokens(31, 2, 7),), (tokens(31, 3, 12),),
                                    (tokens(31, 1, 2),)],
           ({0: Dim("batch", min=1, max=64), 1: Dim("time", min=2, max=12)},))
    yield "llama", Llama(layers=1), [(tokens(29, 2, 5),)], None
    yield ("llama-dynamic", Llama(layers=1),
           [(tokens(29, 2, 5),), (tokens(29, 2, 9),), (tokens(29, 2, 2),)],
           ({1: Dim("time", min=2, max=64)},))
    yield ("llama-decode", Llama(cache=8, layers=1),
           [(tokens(29, 1, 1), torch.tensor([i])) for i in range(4)], None)
    mask = torch.ones(2, 6, dtype=torch.int64)
    mask[1, 4:] = 0
    yield "bert", Bert(), [(tokens(23, 2, 6), mask)], None
    yield ("buffers", Buffers(),
           [(torch.randn(2), torch.tensor([i, 5 - i])) for i in range(3)], None)
    yield "mutate", Mutate(), [(torch.randn(3, 4),)], None


DIALECTS = {"training": lambda program: program,
            "functional": lambda program: program.run_decompositions({}),
            "core": lambda program: program.run_decompositions()}
# Models whose training IR is written too.
TRAINING = ("mlp", "bert", "llama-decode")


def strip(program):
    """Drop what readers skip: it is three quarters of an archive."""
    for node in program.graph.nodes:
        for key in ("stack_trace", "torch_fn", "source_fn_stack", "from_node"):
            node.meta.pop(key, None)


def write(folder, name, module, calls, dynamic):
    torch.manual_seed(7)
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.4)
    module.eval()
    for dialect, lower in DIALECTS.items():
        if dialect == "training" and name not in TRAINING:
            continue
        with torch.no_grad():
            program = lower(export(module, calls[0], dynamic_shapes=dynamic))
        strip(program)
        if name == "buffers":
            read_late(program)
        torch.export.save(program, folder / f"{name}-{dialect}.pt2")
    for k, inputs in enumerate(calls):
        given = [tensor.clone() for tensor in inputs]
        with torch.no_grad():
            outputs = module(*given)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        files = {"in": inputs, "out": outputs}
        if name == "mutate":
            files["after"] = given
        for kind, tensors in files.items():
            for i, tensor in enumerate(tensors):
                np.save(folder / f"{name}.{k}.{kind}{i}.npy", tensor.numpy())


def write_all(folder, names=()):
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(3)
    for name, module, calls, dynamic in models():
        if not names or name in names:
            write(folder, name, module, calls, dynamic)


if __name__ == "__main__":
    write_all(pathlib.Path(sys.argv[1]), sys.argv[2:])
