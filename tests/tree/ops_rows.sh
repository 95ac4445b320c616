#!/bin/sh
# tests/tree/ops_rows.sh - every type of argument makes functions that compile,
# and every fault of a row is found (tests/tree/ops_rows.c has both).
#
# usage: ops_rows.sh TEST_WRITE_OPS ROOT CC CXX
set -eu
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/src/ops" "$copy/docs"
cp -r "$2/include" "$copy"

if "$1" "$copy" >/dev/null 2>"$copy/said"; then
    echo "rows with faults are taken" >&2
    exit 1
fi
diff -u - "$copy/said" <<'END'
src/ops/bad.c: schema "bad_schema(Tensor self": expected a comma or ")" at character 23
src/ops/bad.c: bad_name: "out" cannot be the name of an argument
src/ops/bad.c: bad_option: "size" cannot be the name of an option
src/ops/bad.c: bad_result: "room" cannot be the name of an argument
src/ops/bad.c: bad_world: its first tensor has to be there in every call
src/ops/bad.c: bad_place: works in place, but its first tensor is a list
src/ops/bad.c: bad_list: a list of results is written in place by compositions, over the list that comes first
src/ops/bad.c: bad_written: works in place and calls no others, but no result is named as what becomes of an argument: x_out for x
src/ops/bad.c: bad_nothing: has no results, and does not work in place
src/ops/bad.c: bad_nothing: has no `samples`
src/ops/bad.c: bad_sample: a comma less, or an option with its name, is missing in samples before "2)"
src/ops/bad.c: bad_dtypes: `dtypes` are no dtypes: "real"
src/ops/bad.c: bad_forms: only one result can be written out
src/ops/bad.c: bad_dtype: the default of a Dtype? is None
src/ops/bad.c: bad_rule: rule "a,b->", character 6: the number of tensors differs from the schema
src/ops/bad.c: bad_passes: rule "other", character 6: unknown argument
src/ops/bad.c: bad_about: `about` is no sentence
src/ops/bad.c: bad_meta: has neither `compose` nor both of `meta` and `kernel`
src/ops/bad.c: bad_both: has `compose` and what that makes superfluous
src/ops/bad.c: bad_hand: is written by hand, but no header declares dt_bad_hand
src/ops/bad.c: bad_samples: has no `samples`
src/ops/bad.c: test_plain: dt_test_plain is a function of two operators
src/ops/bad.c: world: dt_world is declared by another header too
END

warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    -Werror"
# shellcheck disable=SC2086
"$3" -std=c11 $warnings -Wmissing-prototypes -D_GNU_SOURCE -I "$copy/include" \
    -I "$2/src" -c -o "$copy/calls.o" "$copy/src/ops/calls.c"
"$1" --options "$copy" >"$copy/options.c" 2>/dev/null || true
# shellcheck disable=SC2086
"$3" -std=c11 $warnings -I "$copy/include" -c -o "$copy/options.o" \
    "$copy/options.c"
cp "$copy/options.c" "$copy/options.cpp"
# shellcheck disable=SC2086
"$4" -std=c++11 $warnings -I "$copy/include" -c -o "$copy/options.o" \
    "$copy/options.cpp"

# A table that does not end is found before it is read.
echo 'const dt_op dti_ops_good[] = {' >"$copy/src/ops/good.c"
if "$1" "$copy" >/dev/null 2>"$copy/said"; then
    echo "a table without an end is taken" >&2
    exit 1
fi
grep -q 'good.c: its table, .* does not end' "$copy/said"
rm "$copy/src/ops/good.c"

# What has faults has a number, so that others keep theirs, and no functions.
grep -q '^    "bad_name",$' "$copy/src/ops/calls.c"
if grep 'dt_bad_\(name\|option\|result\|world\|place\|forms\|dtype\)(' \
    "$copy/include/dtensor/ops.h"; then
    exit 1
fi
