#!/bin/sh
# tests/tree/readme.sh - the programs and commands of the README run, and write
# what it says.
#
# usage: readme.sh ROOT BUILD CC [SANITIZERS]
set -eu
root=$1 build=$2 cc=$3 sanitizers=${4-}
work=$build/readme-test

# compare EXPECTED FOUND: both have the same lines, in any order because those
# of different ranks come so.  A line "..." is for lines that are left out.
compare() {
    LC_ALL=C sort "$1" | sed '/^$/d; /^\.\.\.$/d' >"$1.sorted"
    LC_ALL=C sort "$2" | sed '/^$/d' >"$2.sorted"
    if grep -qx '\.\.\.' "$1"; then
        LC_ALL=C comm -12 "$1.sorted" "$2.sorted" >"$2.common"
        mv "$2.common" "$2.sorted"
    fi
    diff -u "$1.sorted" "$2.sorted" || {
        echo "$2: a program or command writes (+) what README.md does not show (-)" >&2
        exit 1
    }
}

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
    [ ! -f "$program.txt" ] || compare "$program.txt" "$program.out"
done

# Commands: ./a.out is the program above, other programs are the examples, files
# are those of the tests.
cd "$work"
ln -sfn "$root/tests" tests
PATH=$build/bin:$PATH
for example in "$build"/bin/example_*; do
    ln -sf "$example" "./${example##*/example_}"
done
for console in *.console; do
    command=$(sed -n '1s/^[$] //p' "$console")
    case $sanitizers:$command in
    *thread*:"dtensor run "*) continue ;; # it sees one process
    esac
    ln -sf "${console%-*}" a.out
    # An exit status that is not 0 is part of what is shown.
    sh -c "$command" >"$console.out" 2>&1 || :
    sed 1d "$console" >"$console.txt"
    compare "$console.txt" "$console.out"
done
