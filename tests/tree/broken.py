# tests/tree/broken.py - the checks of the tree find what they look for.
# SPDX-License-Identifier: Apache-2.0
"""Each case is a small tree with one mistake that its check must refuse; the
same tree without it must pass."""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SPDX = "/* SPDX-License-Identifier: Apache-2.0 */\n"
RANKS = "/* ranks: 1 2 3 4 7 */\n"

GOOD = {
    "src/LAYERS": "# rooms\nlow:\nhigh: low\nops:\n",
    "src/ops/README.md": "ops\n",
    "src/low/README.md": "`a.h`, `low/a`, `<room>/README.md`, `-> x/y.h`\n",
    "src/high/README.md": "high\n",
    "src/low/a.h": "/* low/a.h - a. */\n" + SPDX + "int a;\n",
    "src/high/b.c": "/* high/b.c - b. */\n" + SPDX
                    + '#include <stdio.h>\n\n#include "low/a.h"\n'
                    + "\nint f(void)\n{\n    return a;\n}\n",
    "include/dtensor/x.h": "/* dtensor/x.h - x. */\n" + SPDX
                           + "#define DT_X 1\n/* Give x.  Not collective. */\n"
                           + "DT_API int dt_x(void);\nDT_API int dt_y(void);\n"
                           + "DT_API DT_MUST_USE dt_status dt_s(void);\n",
    "tests/headers/macros.c": "/* tests/headers/macros.c - m. */\n" + SPDX
                              + "int x = DT_X;\n",
    "src/ops/nn/soft.c": "/* ops/nn/soft.c - s. */\n" + SPDX
                         + 'const dt_op dti_ops_soft[] = {{.schema = "soft(Tensor t) '
                         + '-> Tensor"}, {.schema =\n"softer(Tensor t) -> Tensor"}};\n',
    "src/ops/nn/hard.c": "/* ops/nn/hard.c - h. */\n" + SPDX
                         + 'const dt_op dti_ops_hard[] = {{.schema = "hard(Tensor t)"}};\n',
    "docs/behaviours.md": "| 4.1.5 | x | same | `ranks/ops/nn/soft.c` |\n"
                          "| 4.2.7a | y | differs | none |\n",
    "docs/design.md": "* [A b](#a-b)\n* [C's](#cs)\n\n## A b\n\n* 4.1.5: as there\n"
                      "\n### C's\n\n[x](../src/low/a.h), [y](behaviours.md)\n"
                      "| `src/low/a.h` | `a` | `x` |\n",
    "tests/ranks/ops/nn/soft.c": RANKS + "/* tests/ranks/ops/nn/soft.c - s. */\n" + SPDX
                                 + "/* covers:\n * hard */\n"
                                 + "int x = dt_softer_(t) + dt_hard_out(t);\n"
                                 + 'const dt_test dt_tests[] = {{"5: x", x}};\n',
    "build/notes.md": "TODO\n",
    ".git": "gitdir: /home/someone/notes\n",
}

CASES = [
    ("layers", "src/low/c.c", '#include "high/b.h"\n'),
    ("layers", "src/low/c.c", '#include "a.h"\n'),
    ("layers", "src/other/README.md", None),
    ("layers", "src/LAYERS", "low: high\nhigh: low\nops:\n"),
    ("layers", "src/LAYERS", "low:\nother:\nhigh: low other\nops:\n"),
    ("layers", "bench/c.c", '#include "high/b.h"\n'),
    ("paths", "README.md", "see `low/b.h`\n"),
    ("paths", "src/low/README.md", "`b.h` has it\n"),
    ("paths", "CONTRIBUTING.md", "add `src/<room>/b.h`\n"),
    ("paths", "docs/design.md", "as in `low/b`\n"),
    ("paths", "docs/design.md", "| `src/low/a.h` | `a`, `b` | x |\n"),
    ("paths", "docs/design.md", "see [b](../src/low/b.h)\n"),
    ("paths", "README.md", "see [c](docs/design.md#c)\n"),
    ("paths", "docs/design.md", "* [A](#a)\n\n## A\n\n## B\n"),
    ("paths", "src/high/README.md", "see `high/lower/`\n"),
    ("layers", "src/high/README.md", ""),
    ("files", "src/low/c.c", "int c;\n"),
    ("files", "src/low/c.c", "/* low/d.c - wrong name. */\n" + SPDX),
    ("files", "src/low/c.c", "/* low/c.c - no licence. */\nint c;\n"),
    ("files", "src/low/c.c", "/* low/c.c - long. */\n" + SPDX + "int c;\n" * 800),
    ("files", "src/high/c.c", "/* high/c.c - order. */\n" + SPDX
     + '#include "low/a.h"\n#include <stdio.h>\n'),
    ("files", "src/low/c.c", "/* low/c.c - order. */\n" + SPDX
     + "#include <stdio.h>\n#include <limits.h>\n"),
    ("files", "tests/ranks/r.c", "/* ranks: 1 2 3 4 */\n/* tests/ranks/r.c - r. */\n" + SPDX),
    ("documentation", "include/dtensor/z.h", "/* Give z. */\nDT_API int dt_z(void);\n"),
    ("documentation", "include/dtensor/z.h",
     "/* Not collective. */\n\nint z;\nDT_API int dt_z(void);\n"),
    ("statuses", "include/dtensor/z.h", "DT_API dt_status dt_z(void);\n"),
    ("statuses", "include/dtensor/z.h",
     "static inline dt_status\ndt_z(void)\n{\n}\n"),
    ("macros", "include/dtensor/z.h", "#define DT_Z 1\n"),
    ("macros", "include/dtensor/z.h", "#define Z 1\n"),
    ("behaviours", "docs/design.md", "* 4.1.5, 4.1.6: as there\n"),
    ("behaviours", "docs/design.md", "* 4.2.5: as there\n"),
    ("behaviours", "tests/ranks/more.c", '{"4.2.7a: y", y},\n'),
    ("behaviours", "tests/ranks/more.c", '{"6: y", y},\n'),
    ("behaviours", "tests/ranks/ops/nn/soft.c", '{"4.2.5: x", x},\n'),
    ("behaviours", "tests/ranks/ops/nn/soft.c", '{"x", x},\n'),
    ("functions", "src/low/c.c", "int g(void)\n{\n" + "    x();\n" * 58 + "}\n"),
    ("functions", "src/low/c.c", "int g(int a,\n      int b)\n{\n" + "    x();\n" * 19 + "}\n"),
    ("covers", "src/ops/nn/new.c", 'const dt_op dti_ops_new[] = {{.schema = "new(Tensor t)"}};\n'),
    ("covers", "tests/ranks/ops/nn/soft.c", "/* covers: hard */\ndt_hard(t);\n"),
    ("covers", "tests/ranks/ops/nn/soft.c", "/* covers: hard */\ndt_soft(t);\n"),
    ("covers", "tests/ranks/ops/nn/soft.c", "dt_soft(t), dt_hard(t);\n"),
    ("covers", "tests/ranks/more.c", "/* covers: harder */\ndt_hard(t);\n"),
    ("covers", "tests/ranks/more.c", "/* covers: soft */\ndt_softest(t);\n"),
    ("words", "notes.md", "see /home/someone/notes\n"),
    ("words", "notes.md", "TODO\n"),
    ("words", "README.md", "A tensor is cut along dimension 0.\n"),
    ("words", "include/dtensor/z.h", "/* Where the tensor\n * lies. */\n"),
    ("words", "src/z.c", "int z = dti_fail(w, 1, \"rank %d \"\n"
     "    \"stands twice\", 1);\n"),
]


def write(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def run(check, root):
    return subprocess.run([sys.executable, "-B", HERE / f"{check}.py", root],
                          capture_output=True, text=True)


failed = 0
passed = 0
with tempfile.TemporaryDirectory() as folder:
    for number, (check, name, text) in enumerate([("layers", "", None)] + CASES):
        root = pathlib.Path(folder) / str(number)
        for good_name, good_text in GOOD.items():
            write(root, good_name, good_text)
        if number == 0:
            for each in sorted({case[0] for case in CASES}):
                answer = run(each, root)
                good = answer.returncode == 0
                passed += good
                failed += not good
                if not good:
                    print(f"{each} refuses a good tree:\n{answer.stderr}")
            continue
        if text is None:  # a room that is not listed
            write(root, name, "other\n")
            write(root, str(pathlib.Path(name).parent / "x.c"), "int x;\n")
        elif text == "":
            (root / name).unlink()
        else:
            write(root, name, text)
        good = run(check, root).returncode == 1
        passed += good
        failed += not good
        if not good:
            print(f"{check} accepts {name}:\n{text}")
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
