#!/bin/sh
# tests/tree/symbols.sh - the shared library exports what symbols.txt lists, and
# the operators that headers written by `make ops` declare.
#
# usage: symbols.sh LIBRARY SYMBOLS INCLUDE
#
# A difference is either a mistake or a new line in symbols.txt.
set -eu
exported=$(mktemp)
listed=$(mktemp)
trap 'rm -f "$exported" "$listed"' EXIT
{
    cat "$2"
    grep -rl 'operators; written by .make ops.' "$3" | xargs sed -n \
        's/^DT_API [A-Za-z_ *]*\(dt_[a-z0-9_]*\)(.*/\1/p'
} | LC_ALL=C sort >"$listed"
nm --dynamic --defined-only --format=posix "$1" | cut -d' ' -f1 |
    LC_ALL=C sort >"$exported"
if grep -v '^dt_' "$exported"; then
    echo "only dt_* may be exported" >&2
    exit 1
fi
diff -u "$listed" "$exported" || {
    echo "listed (-) and exported (+) differ" >&2
    exit 1
}
