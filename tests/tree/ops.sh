#!/bin/sh
# tests/tree/ops.sh - what is written from the rows of operators is not stale,
# and it is noticed if it is.
#
# usage: ops.sh WRITE_OPS ROOT
set -eu
"$1" --check "$2"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/src/ops" "$copy/docs"
cp -r "$2/include" "$copy"
cp "$2/src/ops/calls.c" "$copy/src/ops"
cp "$2/docs/ops.md" "$copy/docs"
for file in include/dtensor/ops.h src/ops/calls.c docs/ops.md; do
    echo "/* by hand */" >>"$copy/$file"
    if "$1" --check "$copy" 2>"$copy/said"; then
        echo "$file is stale, which --check does not notice" >&2
        exit 1
    fi
    grep -q "^$file is stale" "$copy/said"
    rm "$copy/$file"
    if "$1" --check "$copy" 2>/dev/null; then
        echo "$file is gone, which --check does not notice" >&2
        exit 1
    fi
    "$1" "$copy" >/dev/null
    cmp "$2/$file" "$copy/$file"
done
"$1" --check "$copy"
