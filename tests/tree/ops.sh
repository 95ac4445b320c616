#!/bin/sh
# tests/tree/ops.sh - what is written from the rows of operators and kept in git
# is not stale, and it is noticed if it is.
#
# usage: ops.sh WRITE_OPS ROWS ROOT
set -eu
write=$1 rows=$2 root=$3
"$write" --check "$rows" "$root"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/docs"
cp -r "$root/include" "$copy"
cp "$root/docs/ops.md" "$copy/docs"
for file in include/dtensor/ops.h include/dtensor/ops/nn.h \
    include/dtensor/sys/ops_internal.h docs/ops.md; do
    echo "/* by hand */" >>"$copy/$file"
    if "$write" --check "$rows" "$copy" 2>"$copy/said"; then
        echo "$file is stale, which --check does not notice" >&2
        exit 1
    fi
    grep -q "^$file is stale" "$copy/said"
    rm "$copy/$file"
    if "$write" --check "$rows" "$copy" 2>/dev/null; then
        echo "$file is gone, which --check does not notice" >&2
        exit 1
    fi
    "$write" "$rows" "$copy" >/dev/null
    cmp "$root/$file" "$copy/$file"
done
"$write" --check "$rows" "$copy"
