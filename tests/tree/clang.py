# tests/tree/clang.py - clang has nothing to say about any file.
# SPDX-License-Identifier: Apache-2.0
"""usage: clang.py ROOT COMPILE_COMMANDS

Checks every file of the tree that the build compiles, as it does, with clang's
warnings as errors; nothing is generated.  Exits with 77 where there is no
clang."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

COMPILERS = {".c": "clang-14", ".cpp": "clang++-14"}
LEFT_OUT = {"-fno-semantic-interposition", "-fno-sanitize-recover=all"}


def command_of(entry):
    words = entry["command"].split()
    kept, skip = [], False
    for word in words[1:]:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT"):
            skip = True
        elif word not in LEFT_OUT and word not in ("-c", "-MD"):
            kept.append(word.replace("\\", ""))
    compiler = COMPILERS[os.path.splitext(entry["file"])[1]]
    return [compiler, "-fsyntax-only", *kept]


def check(entry):
    done = subprocess.run(command_of(entry), cwd=entry["directory"], text=True,
                          capture_output=True)
    return done.stderr if done.returncode else ""


def main():
    root, commands = sys.argv[1:]
    if not all(shutil.which(name) for name in COMPILERS.values()):
        print("clang 14 is not installed")
        sys.exit(77)
    with open(commands) as file:
        entries = json.load(file)
    # Once for each file, but not what rows are compiled for a second time.
    wanted = {entry["file"]: entry for entry in reversed(entries)
              if "/headers/" not in entry["file"]
              and "bench/peers" not in entry["file"]
              and os.path.splitext(entry["file"])[1] in COMPILERS
              and "_rows_objects" not in entry["command"]
              and "_reading_objects" not in entry["command"]}
    if not wanted:
        sys.exit("nothing to check")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = [text for text in pool.map(check, wanted.values()) if text]
    for text in complaints:
        print(text.replace(root + "/", ""))
    print(f"{len(wanted)} files, {len(complaints)} with warnings")
    sys.exit(bool(complaints))


main()
