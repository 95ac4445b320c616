# tests/peers/models.py - transformers, compared with PyTorch on whole tensors.
# SPDX-License-Identifier: Apache-2.0
"""usage: models.py DIRECTORY_OF_PROGRAMS

peer_models runs the models of tests/models, a llama-like and a gpt-like one,
with weights drawn here, on 1, 2, 3, 4 and 2x2 ranks and more: tensor, sequence and
data parallel, in strict mode.  Logits and loss must be those of PyTorch, which
computes them from whole tensors in f64, to the rounding of f32 or f64.
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
except ImportError as error:
    print(f"models: skipped: {error}")
    sys.exit(0)

SEED = int(os.environ.get("DT_TEST_SEED", "20260101"))
MESHES = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (2, 2), (4, 1),
          (2, 3)]
LIMITS = {"f32": 2e-5, "f64": 1e-13}  # relative to the largest


def weights_of(shapes):
    """Weights by name, of a size that keeps activations near 1."""
    return {name: torch.randn(shape, dtype=torch.float64)
            * (0.3 if len(shape) > 1 else 1.0)
            for name, shape in shapes.items()}


# ---- A llama-like model ------------------------------------------------------

class Llama:
    name = "llama"
    batch, time, vocabulary = 3, 7, 61
    width, heads, groups, head, hidden, layers = 40, 24, 12, 4, 50, 2

    def shapes(self):
        shapes = {"embedding": (self.vocabulary, self.width),
                  "head": (self.vocabulary, self.width), "norm": (self.width,)}
        for layer in range(self.layers):
            for name, shape in {
                "attention_norm": (self.width,),
                "wq": (self.heads * self.head, self.width),
                "wk": (self.groups * self.head, self.width),
                "wv": (self.groups * self.head, self.width),
                "wo": (self.width, self.heads * self.head),
                "feed_norm": (self.width,),
                "gate": (self.hidden, self.width),
                "up": (self.hidden, self.width),
                "down": (self.width, self.hidden),
            }.items():
                shapes[f"layers.{layer}.{name}"] = shape
        return shapes

    def rotate(self, x):
        """Positions as complex numbers of modulus 1, by which pairs are
        multiplied that are half a head apart."""
        half = self.head // 2
        powers = 10000.0 ** (-torch.arange(half, dtype=x.dtype) / half)
        angles = torch.outer(torch.arange(self.time, dtype=x.dtype), powers)
        turn = torch.polar(torch.ones_like(angles), angles)[:, None, :]
        pairs = torch.complex(x[..., :half], x[..., half:]) * turn
        return torch.cat((pairs.real, pairs.imag), -1)

    def attend(self, x, w):
        shape = (self.batch, self.time, -1, self.head)
        q = self.rotate(F.linear(x, w["wq"]).view(shape)).transpose(1, 2)
        k = self.rotate(F.linear(x, w["wk"]).view(shape)).transpose(1, 2)
        v = F.linear(x, w["wv"]).view(shape).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True,
                                           enable_gqa=True)
        return F.linear(y.transpose(1, 2).flatten(2), w["wo"])

    def logits(self, weights, tokens):
        x = F.embedding(tokens, weights["embedding"])
        for layer in range(self.layers):
            w = layer_of(weights, layer)
            x = x + self.attend(
                F.rms_norm(x, (self.width,), w["attention_norm"], 1e-5), w)
            y = F.rms_norm(x, (self.width,), w["feed_norm"], 1e-5)
            x = x + F.linear(F.silu(F.linear(y, w["gate"]))
                             * F.linear(y, w["up"]), w["down"])
        return F.linear(F.rms_norm(x, (self.width,), weights["norm"], 1e-5),
                        weights["head"])


# ---- A gpt-like model --------------------------------------------------------

class Gpt:
    name = "gpt"
    batch, time, vocabulary = 3, 6, 53
    width, heads, head, positions, layers = 35, 7, 5, 9, 2

    def shapes(self):
        row = (self.width,)
        shapes = {"embedding": (self.vocabulary, self.width),
                  "positions": (self.positions, self.width),
                  "norm": row, "norm_bias": row}
        for layer in range(self.layers):
            for name, shape in {
                "norm1": row, "norm1_bias": row, "norm2": row,
                "norm2_bias": row, "out_bias": row, "down_bias": row,
                "qkv": (self.heads, 3 * self.head, self.width),
                "qkv_bias": (self.heads, 3 * self.head),
                "out": (self.heads, self.head, self.width),
                "up": (4 * self.width, self.width),
                "up_bias": (4 * self.width,),
                "down": (self.width, 4 * self.width),
            }.items():
                shapes[f"layers.{layer}.{name}"] = shape
        return shapes

    def attend(self, x, w):
        qkv = F.linear(x, w["qkv"].flatten(0, 1), w["qkv_bias"].flatten())
        qkv = qkv.view(self.batch, self.time, self.heads, 3, self.head)
        q, k, v = (part.transpose(1, 2) for part in qkv.unbind(3))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return F.linear(y.transpose(1, 2).flatten(2),
                        w["out"].flatten(0, 1).t(), w["out_bias"])

    def logits(self, weights, tokens):
        x = (F.embedding(tokens, weights["embedding"])
             + weights["positions"][:self.time])
        for layer in range(self.layers):
            w = layer_of(weights, layer)
            x = x + self.attend(F.layer_norm(
                x, (self.width,), w["norm1"], w["norm1_bias"], 1e-5), w)
            y = F.layer_norm(x, (self.width,), w["norm2"], w["norm2_bias"],
                             1e-5)
            y = F.gelu(F.linear(y, w["up"], w["up_bias"]), approximate="tanh")
            x = x + F.linear(y, w["down"], w["down_bias"])
        x = F.layer_norm(x, (self.width,), weights["norm"],
                         weights["norm_bias"], 1e-5)
        return F.linear(x, weights["embedding"])


def layer_of(weights, layer):
    prefix = f"layers.{layer}."
    return {name.removeprefix(prefix): weight
            for name, weight in weights.items() if name.startswith(prefix)}


# ---- Comparing ---------------------------------------------------------------

def reference(model, folder):
    """Logits and loss; what they are computed from goes to the folder."""
    weights = weights_of(model.shapes())
    tokens, targets = torch.randint(model.vocabulary,
                                    (2, model.batch, model.time))
    for name, value in {**weights, "tokens": tokens,
                        "targets": targets}.items():
        np.save(folder / f"{name}.npy", value.numpy())
    logits = model.logits(weights, tokens)
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
    return {"logits": logits.numpy(), "loss": loss.numpy()}


def compare(command, folder, expected, limit):
    """What is wrong; None if nothing is."""
    run = subprocess.run([*command, folder], text=True, capture_output=True,
                         timeout=1800)
    if run.returncode:
        return run.stderr.strip() or f"exit status {run.returncode}"
    for name, value in expected.items():
        got = np.load(folder / f"{name}.out.npy")
        if got.shape != value.shape:
            return f"{name}: shape {got.shape}, not {value.shape}"
        far = np.abs(got - value).max() / np.abs(value).max()
        if not far <= limit:
            return f"{name}: differs by {far:.3g}, more than {limit:g}"
    return None


def main():
    program = pathlib.Path(sys.argv[1]) / "peer_models"
    torch.manual_seed(SEED)
    runs = failures = 0
    for model in (Llama(), Gpt()):
        with tempfile.TemporaryDirectory() as name, torch.no_grad():
            folder = pathlib.Path(name)
            expected = reference(model, folder)
            for dtype, limit in LIMITS.items():
                for dp, tp in MESHES:
                    for stream in ("replicated", "sequence"):
                        command = [program, model.name, dtype, str(dp),
                                   str(tp), stream]
                        wrong = compare(command, folder, expected, limit)
                        runs += 1
                        if wrong:
                            failures += 1
                            print(f"{' '.join(map(str, command[1:]))}: "
                                  f"{wrong}")
    print(f"models: {runs} runs against PyTorch {torch.__version__}, "
          f"{failures} differences (DT_TEST_SEED={SEED})")
    sys.exit(failures != 0)


main()
