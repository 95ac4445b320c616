#!/bin/sh
# tests/tree/readme.sh - the programs of the README compile, run and write what
# it says.
#
# usage: readme.sh ROOT BUILD CC
set -eu
root=$1 build=$2 cc=$3
work=$build/readme-test
"$root/tools/readme-programs" "$root/README.md" "$work"
[ -f "$work/1.c" ] || {
    echo "no program in README.md" >&2
    exit 1
}
for source in "$work"/*.c; do
    program=${source%.c}
    # A program is also an example, which has two lines more on top.
    found=
    for example in "$root"/examples/*.c; do
        if tail -n +3 "$example" | cmp -s - "$source"; then
            found=$example
        fi
    done
    [ -n "$found" ] || {
        echo "$source is none of examples/*.c" >&2
        exit 1
    }
    "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$root/include" \
        "$source" -o "$program" -L"$build/lib" -ldtensor \
        -Wl,-rpath,"$build/lib"
    "$program" >/dev/null
    DT_RANKS=4 "$program" >"$program.out"
    [ -f "$program.txt" ] || continue
    # Lines of different ranks come in any order.
    LC_ALL=C sort "$program.txt" >"$program.expected"
    LC_ALL=C sort "$program.out" | diff -u "$program.expected" - || {
        echo "$program.c writes (+) what README.md does not show (-)" >&2
        exit 1
    }
done
