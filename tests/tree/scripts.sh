#!/bin/sh
# tests/tree/scripts.sh - the scripts pass shellcheck.
#
# usage: scripts.sh ROOT
set -eu
cd "$1"
command -v shellcheck >/dev/null || {
    echo "shellcheck is not installed (tools/setup lint)"
    exit 77
}
{
    find tools .ci -type f -exec grep -lE '^#!.*\b(ba)?sh$' {} +
    find tests -name '*.sh'
} | xargs shellcheck --exclude=SC2013
