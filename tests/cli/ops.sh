#!/bin/sh
# tests/cli/ops.sh - what `dtensor ops` lists, and what it says a list lacks.
#
# usage: ops.sh DTENSOR      (in the top folder of the tree)
set -eu
dtensor=$1
subcommand=ops
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# All of them.
expect 0 ""
has "$said" '^operator  *sharding rule  *partial inputs  *variants  *dtypes  *ATen$'
has "$said" '^matmul  .*linear self\*other  .*matmul$'
has "$said" '^mm  *mk,kn->mn  '
has "$said" '^relu  .*in place, out'
lines=$(printf '%s\n' "$said" | wc -l)
objects=$("$dtensor" ops --json | grep -c '^{"operator": "[a-z0-9_]*", "schema": ".*"aten": \[.*\]}$')
[ "$((lines - 1))" -eq "$objects" ] || complain "$lines lines, but $objects JSON objects"

# By our name, by ATen's, and by none.
expect 0 "" mm
has "$said" '^mm(Tensor self, Tensor mat2) -> Tensor$'
has "$said" '^  sharding rule  *mk,kn->mn$'
has "$said" '^  samples  *('
expect 0 "" add
[ "$(printf '%s\n' "$said" | grep -c ' -> ')" -eq 1 ] || complain "add is more than one: $said"
expect 0 "" aten::max.dim
has "$said" '^max_dim(Tensor self'
expect 0 "" mm add --json
[ "$(printf '%s\n' "$said" | wc -l)" -eq 2 ] || complain "two objects: $said"
expect 2 "" sofmtax
has "$said" 'no operator "sofmtax"; did you mean "softmax"?'
expect 2 "" zzzzzzzzzzzz
has "$said" 'dtensor ops lists them'
expect 2 "" add --coverage "$folder/list"
has "$said" 'unexpected argument "add"'

# Lists: every way to write a name, comments, blank lines, no last newline.
cat >"$folder/all" <<'END'
# what a layer needs
aten::add.Tensor
  aten.add_.Tensor   # in place

torch.ops.aten.mm.default
mm.out
relu
aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
END
printf 'sum' >>"$folder/all"
expect 0 "" --coverage "$folder/all"
has "$said" '^add.Tensor  *covered  add$'
has "$said" '^add_.Tensor  *covered  add_$'
has "$said" '^mm.out  *covered  mm_out$'
has "$said" '^7 of 7 names are covered, 0 are missing$'

printf 'mm.bogus\r\nconv2d\r\nmm_\nprims::add\n' >"$folder/lacks"
expect 2 "" --coverage "$folder/lacks"
has "$said" 'line 4, "prims::add", is not an ATen name'
has "$said" '^mm.bogus  *missing  *other overloads: mm$'
has "$said" '^conv2d  *missing  *no operator has this name$'
has "$said" '^mm_  *missing  *mm has no such variant$'
has "$said" '^0 of 3 names are covered, 3 are missing$'

printf 'conv2d\nmm\n' >"$folder/one"
expect 1 "" --coverage "$folder/one"
has "$said" '^1 of 2 names are covered, 1 are missing$'
expect 1 "" --coverage "$folder/one" --json
has "$said" '^{"name": "conv2d", "covered": 0, "why": "no operator has this name"}$'
has "$said" '^{"name": "mm", "covered": 1, "operator": "mm"}$'
printf 'mm\n' >"$folder/one"
status=0
said=$("$dtensor" ops --coverage - <"$folder/one") || status=$?
[ "$status" -eq 0 ] || complain "a list on standard input: exit $status"

# Nothing that a step of training needs is missing.
expect 0 "" --coverage tests/cli/transformer.txt

# What is odd: nothing, a folder, no file, one very long line, zero bytes.
: >"$folder/empty"
expect 0 "" --coverage "$folder/empty"
has "$said" '^0 of 0 names are covered, 0 are missing$'
expect 1 "" --coverage "$folder/missing"
has "$said" 'cannot read .*missing: No such file'
expect 1 "" --coverage "$folder"
has "$said" 'cannot read .*: Is a directory'
head -c 100000 /dev/zero | tr '\0' a >"$folder/long"
expect 1 "" --coverage "$folder/long"
head -c 100 /dev/zero >"$folder/zeros"
expect 2 "" --coverage "$folder/zeros"

# Operators and rules of a program: a wrong rule, none, no program.
examples=$(dirname "$dtensor")
expect 1 "" --verify "$examples/example_08-verify"
has "$said" '^wrong    flip(T\[m,n\], \[0\]) with T=f64 .*: element \[0, 0\] is .* instead of '
has "$said" '^flip  *[0-9]* cases, .* wrong [1-9][0-9]*, missing 0 '
has "$said" '^1 operators verified, 1 wrong, 0 missing rules$'
DT_RANKS=3 expect 1 "" --verify -- "$examples/example_08-verify"
expect 0 "" --verify "$examples/example_06-operators"
has "$said" '^this world was given no operators or rules$'
expect 1 "" --verify true
has "$said" 'true closed no world that had operators'
# shellcheck disable=SC2016
expect 1 "" --verify sh -c 'echo "{" >&$DT_VERIFY'
expect 1 "" --verify "$folder/missing"
has "$said" 'ended with status 127$'
expect 2 "" --verify
expect 2 "" --json --verify true
has "$said" '^dtensor ops: --verify needs a program, and no other option$'

finish
