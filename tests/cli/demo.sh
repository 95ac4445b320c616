#!/bin/sh
# tests/cli/demo.sh - the demonstration: meshes, checkpoints, Ctrl-C.
#
# usage: demo.sh DTENSOR
set -eu
dtensor=$1
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
demo=$(dirname "$dtensor")/example_demo
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A model of a few thousand parameters.
learn() {
    "$demo" --width 32 --layers 2 --heads 4 --context 16 --batch 6 --steps 8 "$@"
}

# agrees TEXT: the losses that were compared are the same but for rounding.
agrees() {
    largest=$(printf '%s\n' "$1" | sed -n 's/.*differ by at most \([^ ]*\).*in 8 steps.*/\1/p')
    awk -v d="${largest:-1}" 'BEGIN { exit !(d < 1e-3) }' ||
        complain "the losses differ: $1"
}

said=$(DT_RANKS=4 learn --mesh dp=2,tp=2 --losses "$folder/losses" --every 4 \
    --folder "$folder/saved")
has "$said" '^8 steps on 4 ranks, mesh dp=2,tp=2: loss 4\.'
has "$said" ' 8 steps$'

# The same losses on one rank, and on processes that shard the sequence.
said=$(learn --compare "$folder/losses" --svg "$folder/losses.svg")
agrees "$said"
grep -q '<polyline' "$folder/losses.svg" || complain "no curve in the SVG file"
said=$("$dtensor" run -n 3 "$demo" --width 32 --layers 2 --heads 4 --context 16 \
    --batch 6 --steps 8 --mesh tp=3 --sequence --compare "$folder/losses")
agrees "$said"

# A run that continues in the middle ends with the same bits.
cp -r "$folder/saved" "$folder/half"
rm -r "$folder/half/step_00000008"
printf 'step_00000004' >"$folder/half/latest"
said=$(DT_RANKS=4 learn --mesh dp=2,tp=2 --folder "$folder/half")
has "$said" '^Loaded the checkpoint of step 4\.$'
has "$said" '^4 steps on 4 ranks'
cmp "$folder/saved/step_00000008/model.safetensors" \
    "$folder/half/step_00000008/model.safetensors" ||
    complain "a run that was continued differs"

# On another mesh the checkpoint writes the text that it writes on one rank.
said=$(DT_RANKS=3 learn --mesh tp=3 --folder "$folder/saved" --write 20)
has "$said" '^Loaded the checkpoint of step 8\.$'
has "$said" '^Shall I compare thee'
[ "$said" = "$(learn --folder "$folder/saved" --write 20)" ] ||
    complain "another mesh writes another text"

# Ctrl-C saves.
DT_RANKS=2 "$demo" --width 32 --layers 2 --heads 4 --context 16 --batch 6 \
    --steps 1000000 --every 1 --folder "$folder/long" >"$folder/said" \
    2>"$folder/errors" &
pid=$!
tries=0
while [ ! -e "$folder/long/latest" ] && [ $tries -lt 300 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -INT $pid
wait $pid || complain "Ctrl-C: exit $?"
grep -q 'Interrupted after step [0-9]*; saved' "$folder/errors" ||
    complain "Ctrl-C: $(cat "$folder/errors")"
finish
