#!/bin/sh
# tests/tree/ops_rows.sh - every type of argument makes functions that compile,
# and every fault of a row is found (tests/tree/ops_rows has both).
#
# usage: ops_rows.sh WRITE_OPS ROOT CC CXX
set -eu
write=$1 root=$2 cc=$3 cxx=$4
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
rows=$copy/rows
mkdir -p "$copy/docs" "$rows/math" "$rows/nn" "$copy/written/ops" \
    "$copy/src/ops/nn"
cp "$root/tests/tree/ops_rows/bad.c" "$copy/src/ops/nn"
cp -r "$root/include" "$copy"
for family in math/good nn/bad; do
    "$cc" -std=c11 -E -P -I "$root/include" -I "$root/src" \
        "$root/tests/tree/ops_rows/${family#*/}.c" -o "$rows/$family.i"
    echo "$family" >>"$rows/list"
done

if "$write" "$rows" "$copy" >/dev/null 2>"$copy/said"; then
    echo "rows with faults are taken" >&2
    exit 1
fi
diff -u - "$copy/said" <<'END'
src/ops/nn/bad.c: schema "bad_schema(Tensor self": expected a comma or ")" at character 23
src/ops/nn/bad.c: bad_name: "out" cannot be the name of an argument
src/ops/nn/bad.c: bad_option: "size" cannot be the name of an option
src/ops/nn/bad.c: bad_result: "capacity" cannot be the name of an argument
src/ops/nn/bad.c: bad_world: its first tensor, or a mesh, has to be there in every call
src/ops/nn/bad.c: bad_place: works in place, but its first tensor is a list
src/ops/nn/bad.c: bad_list: a list of results is written in place by compositions, over the list that comes first
src/ops/nn/bad.c: bad_written: works in place and calls no others, but no result is named as what becomes of an argument: x_out for x
src/ops/nn/bad.c: bad_nothing: has no results, and does not work in place
src/ops/nn/bad.c: bad_nothing: has no `samples`
src/ops/nn/bad.c: bad_sample: a comma less, or an option with its name, is missing in samples before "2)"
src/ops/nn/bad.c: bad_dtypes: `dtypes` are no dtypes: "real"
src/ops/nn/bad.c: bad_forms: only one result can be written out
src/ops/nn/bad.c: bad_dtype: the default of a Dtype? is None
src/ops/nn/bad.c: bad_rule: rule "a,b->", character 6: the number of tensors differs from the schema
src/ops/nn/bad.c: bad_passes: rule "other", character 6: unknown argument
src/ops/nn/bad.c: bad_about: `about` is no sentence
src/ops/nn/bad.c: bad_meta: has neither `compose` nor both of `meta` and `kernel`
src/ops/nn/bad.c: bad_both: has `compose` and what that makes superfluous
src/ops/nn/bad.c: bad_hand: is written by hand, but no header declares dt_bad_hand
src/ops/nn/bad.c: bad_samples: has no `samples`
src/ops/nn/bad.c: bad_argument: `arguments` describes "what", which is no argument
src/ops/nn/bad.c: bad_argument: `arguments` describes "which", which is no argument
src/ops/nn/bad.c: bad_argument: "which" is not described: add it to `arguments`, or to tools/ops/describe.c if it means the same everywhere
src/ops/nn/bad.c: test_plain: dt_test_plain is a function of two operators
src/ops/nn/bad.c: world: dt_world is declared by another header too
src/ops/nn/bad.c: no row has an argument "dims"
END

# What has faults has no functions, and nothing is built from it.
if grep -r 'dt_bad_\(name\|option\|result\|world\|place\|forms\|dtype\)(' \
    "$copy/include"; then
    exit 1
fi
if "$write" --build "$copy/written" "$rows" "$copy" 2>/dev/null; then
    echo "rows with faults are built" >&2
    exit 1
fi
[ -z "$(ls "$copy/written/ops")" ]

echo math/good >"$rows/list"
"$write" "$rows" "$copy"
"$write" --build "$copy/written" "$rows" "$copy"
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    -Werror"
# shellcheck disable=SC2086
"$cc" -std=c11 $warnings -Wmissing-prototypes -D_GNU_SOURCE \
    -I "$copy/include" -I "$root/src" -I "$copy/written" \
    -c -o "$copy/calls.o" "$copy/written/ops/calls_math.c"
# shellcheck disable=SC2086
"$cc" -std=c11 $warnings -I "$copy/include" -c -o "$copy/options.o" \
    "$copy/written/ops/options.c"
# shellcheck disable=SC2086
"$cxx" -x c++ -std=c++11 $warnings -I "$copy/include" -c \
    -o "$copy/options.o" "$copy/written/ops/options.c"

# A family that cannot be read is named: without a table, without the end of it,
# with a text that is none.
expect() {
    printf '%s\n' "$1" >"$rows/math/good.i"
    if "$write" "$rows" "$copy" 2>"$copy/said"; then
        echo "this is taken: $1" >&2
        exit 1
    fi
    grep -qF "src/ops/math/good.c: $2" "$copy/said"
}
table='const dt_op dti_ops_good[] ='
expect "extern $table" 'there is no table'
expect "$table {{.schema = \"a(Tensor b) -> Tensor\"},};" \
    'its table does not end with the row {0}'
expect "$table {{.schema = \"a(Tensor b) -> Tensor\"," \
    "'.' is expected"
expect "$table {{.schema = some_text}, {0}};" '.schema is no text'
