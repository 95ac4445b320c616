# tests/peers/torch_ranks.py - ranks of PyTorch.
# SPDX-License-Identifier: Apache-2.0

import os
import sys


def run_ranks(name, size, run):
    """Call `run(rank)` on all ranks, as copies of this process: PyTorch is loaded
    only once.  `name` is the script's, for its message."""
    children = []
    sys.stdout.flush()
    for rank in range(size):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                run(rank)
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    failed = sum(os.waitpid(child, 0)[1] != 0 for child in children)
    if failed:
        raise SystemExit(f"{name}: {failed} of {size} ranks of PyTorch failed")
