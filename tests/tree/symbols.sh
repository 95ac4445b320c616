#!/bin/sh
# tests/tree/symbols.sh - the shared library exports what symbols.txt lists.
#
# usage: symbols.sh LIBRARY SYMBOLS
#
# A difference is either a mistake or a new line in symbols.txt.
set -eu
exported=$(mktemp)
trap 'rm -f "$exported"' EXIT
nm --dynamic --defined-only --format=posix "$1" | cut -d' ' -f1 |
    LC_ALL=C sort >"$exported"
if grep -v '^dt_' "$exported"; then
    echo "only dt_* may be exported" >&2
    exit 1
fi
diff -u "$2" "$exported" || {
    echo "listed (-) and exported (+) differ" >&2
    exit 1
}
