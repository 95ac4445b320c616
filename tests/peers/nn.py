# tests/peers/nn.py - modules trained with AdamW, compared with PyTorch's.
# SPDX-License-Identifier: Apache-2.0
"""usage: nn.py DIRECTORY_OF_PROGRAMS

peer_nn trains a GPT, a Llama and an MLP of dtensor/nn.h with weights drawn
here, for 20 steps of AdamW, on 1, 2, 3, 4, 5, 2x2 and 2x3 ranks: tensor, sequence and
data parallel. The loss and all gradients of every step must be those of
torch.nn, computed from whole tensors in f64.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import torch
    import torch.nn.functional as F
    from torch import nn
except ImportError as error:
    print(f"nn: skipped: {error}")
    sys.exit(0)

SEED = int(os.environ.get("DT_TEST_SEED", "20260101"))
STEPS, BATCH, TIME = 20, 4, 7
MESHES = [(1, 1), (1, 2), (2, 1), (1, 3), (1, 4), (1, 5), (2, 2), (2, 3)]
# Losses relative to the loss, gradients to the largest of a step.  AdamW turns
# rounding of small gradients into steps, in f32 more and more with time.
LIMITS = {"f64": (1e-9, 1e-7), "f32": (2e-3, None)}


class Attention(nn.Module):
    def __init__(self, width, heads, groups, head, names, bias, rotary):
        super().__init__()
        self.names, self.head, self.rotary = names, head, rotary
        sizes = [(width, heads * head), (width, groups * head),
                 (width, groups * head), (heads * head, width)]
        for name, (inside, outside) in zip(names, sizes):
            self.add_module(name, nn.Linear(inside, outside, bias))

    def rotate(self, x):
        """Positions as complex numbers of modulus 1, by which pairs are
        multiplied that are half a head apart."""
        half = self.head // 2
        powers = 10000.0 ** (-torch.arange(half, dtype=x.dtype) / half)
        angles = torch.outer(torch.arange(x.shape[1], dtype=x.dtype), powers)
        turn = torch.polar(torch.ones_like(angles), angles)[:, None, :]
        pairs = torch.complex(x[..., :half], x[..., half:]) * turn
        return torch.cat((pairs.real, pairs.imag), -1)

    def forward(self, x):
        q, k, v, out = (getattr(self, name) for name in self.names)
        q, k, v = (f(x).unflatten(-1, (-1, self.head)) for f in (q, k, v))
        if self.rotary:
            q, k = self.rotate(q), self.rotate(k)
        y = F.scaled_dot_product_attention(
            q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2),
            is_causal=True, enable_gqa=True)
        return out(y.transpose(1, 2).flatten(2))


class GptMlp(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc, self.proj = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        return self.proj(F.gelu(self.fc(x), approximate="tanh"))


class GptBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(35), nn.LayerNorm(35)
        self.attn = Attention(35, 7, 7, 5, ("wq", "wk", "wv", "wo"), True, False)
        self.mlp = GptMlp(35)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt(nn.Module):
    name, vocabulary = "gpt", 53

    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(53, 35), nn.Embedding(9, 35)
        self.layers = nn.ModuleList(GptBlock() for _ in range(2))
        self.ln_f = nn.LayerNorm(35)
        self.lm_head = nn.Linear(35, 53, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, tokens):
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1]))
        for layer in self.layers:
            x = layer(x)
        return self.lm_head(self.ln_f(x))


class LlamaMlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(18, 22, bias=False)
        self.up_proj = nn.Linear(18, 22, bias=False)
        self.down_proj = nn.Linear(22, 18, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class LlamaBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.input_layernorm = nn.RMSNorm(18, eps=1e-5)
        self.self_attn = Attention(
            18, 6, 3, 4, ("q_proj", "k_proj", "v_proj", "o_proj"), False, True)
        self.post_attention_layernorm = nn.RMSNorm(18, eps=1e-5)
        self.mlp = LlamaMlp()

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))


class LlamaModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(61, 18)
        self.layers = nn.ModuleList(LlamaBlock() for _ in range(2))
        self.norm = nn.RMSNorm(18, eps=1e-5)

    def forward(self, tokens):
        x = self.embed_tokens(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)


class Llama(nn.Module):
    name, vocabulary = "llama", 61

    def __init__(self):
        super().__init__()
        self.model = LlamaModel()
        self.lm_head = nn.Linear(18, 61, bias=False)

    def forward(self, tokens):
        return self.lm_head(self.model(tokens))


class Mlp(nn.Sequential):
    name, vocabulary = "mlp", 61

    def __init__(self):
        super().__init__(nn.Embedding(61, 10), nn.Linear(10, 23), nn.ReLU(),
                         nn.Linear(23, 61))


def reference(model, folder):
    """Losses and gradients of each step, by name; what they are computed from
    goes to the folder."""
    for name, weight in model.named_parameters():
        nn.init.normal_(weight, std=0.3 if weight.ndim > 1 else 1.0)
        np.save(folder / f"{name}.npy", weight.detach().numpy())
    tokens, targets = torch.randint(model.vocabulary, (2, STEPS, BATCH, TIME))
    np.save(folder / "tokens.npy", tokens.numpy())
    np.save(folder / "targets.npy", targets.numpy())
    adam = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1)
    losses, gradients = [], []
    for step in range(STEPS):
        loss = F.cross_entropy(model(tokens[step]).flatten(0, 1),
                               targets[step].flatten())
        adam.zero_grad()
        loss.backward()
        losses.append(loss.item())
        gradients.append({name: weight.grad.numpy().flatten()
                          for name, weight in model.named_parameters()})
        adam.step()
    return np.array(losses), gradients


def compare(command, folder, expected, limits):
    """What is wrong; None if nothing is."""
    run = subprocess.run([*command, folder], text=True, capture_output=True,
                         timeout=1800)
    if run.returncode:
        return run.stderr.strip() or f"exit status {run.returncode}"
    losses, gradients = expected
    got = np.load(folder / "losses.out.npy")
    far = np.abs(got / losses - 1).max()
    if not far <= limits[0]:
        return f"losses differ by {far:.3g}, more than {limits[0]:g}"
    names = (folder / "names.txt").read_text().split()
    if sorted(names) != sorted(gradients[0]):
        return f"parameters {names}, not {sorted(gradients[0])}"
    rows = np.load(folder / "gradients.out.npy")
    for step, row in enumerate(rows if limits[1] else []):
        wanted = np.concatenate([gradients[step][name] for name in names])
        if row.shape != wanted.shape:
            return f"{row.shape} gradients, not {wanted.shape}"
        far = np.abs(row - wanted).max() / np.abs(wanted).max()
        if not far <= limits[1]:
            return f"gradients of step {step} differ by {far:.3g}"
    return None


def main():
    program = pathlib.Path(sys.argv[1]) / "peer_nn"
    torch.manual_seed(SEED)
    torch.set_default_dtype(torch.float64)
    runs = failures = 0
    for model in (Gpt(), Llama(), Mlp()):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            expected = reference(model, folder)
            for dtype, limits in LIMITS.items():
                for dp, tp in MESHES:
                    for stream in ("replicated", "sequence"):
                        command = [program, model.name, dtype, str(dp),
                                   str(tp), stream]
                        wrong = compare(command, folder, expected, limits)
                        runs += 1
                        if wrong:
                            failures += 1
                            print(f"{' '.join(map(str, command[1:]))}: {wrong}")
    print(f"nn: {runs} trainings against PyTorch {torch.__version__}, "
          f"{failures} differences (DT_TEST_SEED={SEED})")
    sys.exit(failures != 0)


main()
