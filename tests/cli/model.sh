#!/bin/sh
# tests/cli/model.sh - what `dtensor model` prints.
#
# usage: model.sh DTENSOR      (in the top folder of the tree)
set -eu
dtensor=$1
subcommand=model
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
graphs=tests/golden/graph

expect_golden mlp show $graphs/mlp-functional.pt2
expect_golden decode show --nodes $graphs/llama-decode-functional.pt2
expect_golden dynamic show $graphs/gpt2-dynamic-core.pt2
expect 0 '"operator": "linear"' show --json $graphs/mlp-functional.pt2
expect 0 "can be run: 10 nodes" check $graphs/mlp-core.pt2
expect 1 "in-place operator aten.index_put_ in training IR" check $graphs/llama-decode-training.pt2
expect 1 "2 problems" check $graphs/llama-decode-training.pt2
expect 1 "no model is named" show --model other $graphs/mlp-core.pt2
expect 1 "none.pt2: No such file" show none.pt2
expect 1 "not a PT2 archive" check tests/cli/model.sh
expect 2 "expected an action and a file" show
expect 2 "unknown action" draw $graphs/mlp-core.pt2
expect 0 "[[0.334803" run $graphs/mlp-core.pt2 --input $graphs/mlp.0.in0.npy
expect 1 "expected 1 inputs, got 0" run $graphs/mlp-core.pt2
expect 1 "the program declares f32[5, 6]" run $graphs/mlp-core.pt2 --input $graphs/mlp.0.out0.npy

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
expect 0 "" run $graphs/bert-core.pt2 --input $graphs/bert.0.in0.npy,$graphs/bert.0.in1.npy \
    --output "$folder/a.npy,$folder/b.npy"
for file in a b; do
    [ -s "$folder/$file.npy" ] || complain "output $file is missing"
done
expect 0 "" show --dot "$folder/g.dot" $graphs/mlp-core.pt2
has "$(cat "$folder/g.dot")" "^digraph program"
# Every json is one object.
if command -v python3 >/dev/null; then
    for file in mlp-core llama-decode-core gpt2-dynamic-functional; do
        run_subcommand show --json "$graphs/$file.pt2" |
            python3 -c 'import json, sys; json.load(sys.stdin)["nodes"][0]["results"]' ||
            complain "$file: no JSON"
    done
fi
finish
