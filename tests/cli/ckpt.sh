#!/bin/sh
# tests/cli/ckpt.sh - what `dtensor ckpt` prints, and what it finds.
#
# usage: ckpt.sh DTENSOR      (in the top folder of the tree)
set -eu
dtensor=$1
subcommand=ckpt
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
saves=$(dirname "$dtensor")/test_cli_saves
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$dtensor" run -n 2 -- "$saves" "$folder/a" 7 1.5 || complain "saves failed"
"$saves" "$folder/b" 7 1.5 || complain "saves failed on one rank"
"$saves" "$folder/b" 8 2.5 || complain "saves failed on one rank"

# Lists: tensors, tied tensors, numbers and texts.
said=$(run_subcommand ls "$folder/a")
has "$said" '^layers.0.weight  *F32  *\[6, 4\]  *.*S(0) on x=2'
has "$said" '^head.weight'
has "$said" 'same as layers.0.weight\|same as head.weight'
has "$said" '^layers.0.bias  *BF16  *\[3\]  *6 B'
has "$said" '^step  *integer  *7'
has "$said" '^note  *text  *"two\\nlines"'
if command -v python3 >/dev/null; then
    run_subcommand ls "$folder/a" --json | python3 -c '
import json, sys
rows = {row["name"]: row for row in map(json.loads, sys.stdin)}
assert rows["layers.0.bias"]["shape"] == [3], rows
assert rows["layers.0.bias"]["dtype"] == "BF16", rows
assert rows["step"]["integer"] == 7, rows
assert rows["note"]["text"] == "two\nlines", rows' || complain "ls --json"
fi

expect 0 "step     7" show "$folder/a"
expect 0 "ranks    2" show "$folder/a/step_00000007"
expect 0 "model-00002-of-00002.safetensors" show "$folder/a"
expect 0 "dtype   BF16" show "$folder/a" layers.0.bias
expect 1 'no tensor is named "x"' show "$folder/a" x

# The latest is meant, and others by their paths.
expect 0 "step     8" show "$folder/b"
expect 0 "no difference" diff "$folder/a" "$folder/b/step_00000007"
expect 1 "24 of 24 elements differ" diff "$folder/a" "$folder/b"
expect 1 "~ step: 7 and 8" diff "$folder/a" "$folder/b"

# One file, which has everything.
expect 0 "" merge "$folder/a" "$folder/one.safetensors"
expect 0 "no difference" diff "$folder/a" "$folder/one.safetensors"
expect 0 "have no checksums" verify "$folder/one.safetensors"
expect 0 "same as" ls "$folder/one.safetensors"

# Damage is found, and named.
expect 0 "good: " verify "$folder/a"
file=$folder/a/step_00000007/model-00001-of-00002.safetensors
size=$(wc -c <"$file")
printf 'x' | dd of="$file" bs=1 seek=$((size - 3)) conv=notrunc 2>/dev/null
expect 1 "model-00001-of-00002.safetensors: tensor" verify "$folder/a"
printf ' x' | dd of="$file" bs=1 seek=3000 conv=notrunc 2>/dev/null
expect 1 "$file" ls "$folder/a"
truncate -s $((size - 1)) "$folder/b/step_00000008/model-00001-of-00002.safetensors"
expect 1 "truncated" ls "$folder/b"
expect 1 "no such file" ls "$folder/none"

expect 2 "usage" ls
expect 2 "usage" diff "$folder/a"
expect 2 "usage" verify "$folder/a" --json
expect 2 "usage" other "$folder/a"
finish
