#!/bin/sh
# tests/tree/format.sh - the C files are as clang-format-14 writes them.
#
# usage: format.sh ROOT
set -eu
cd "$1"
command -v clang-format-14 >/dev/null || {
    echo "clang-format-14 is not installed (tools/setup test)"
    exit 77
}
tools/c-files | xargs clang-format-14 --dry-run -Werror
