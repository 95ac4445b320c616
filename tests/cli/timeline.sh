#!/bin/sh
# tests/cli/timeline.sh - a timeline is what other programs read.
#
# usage: timeline.sh DTENSOR      (in the top folder of the tree)
set -eu
dtensor=$1
program=$(dirname "$dtensor")/test_ranks_trace_timeline
file=$(mktemp)
failed=0
trap 'rm -f "$file"' EXIT

complain() {
    echo "timeline.sh: $1" >&2
    failed=$((failed + 1))
}

# look RANKS COMMAND...: what the command saves is the timeline of all ranks.
look() {
    ranks=$1
    shift
    DT_TEST_TIMELINE=$file "$@" >/dev/null || complain "$* failed"
    python3 tests/cli/timeline.py "$file" "$ranks" || complain "$*"
}

for n in 1 3; do
    look "$n" "$program" --ranks "$n"
    look "$n" "$dtensor" run -n "$n" -- "$program" --process
done

exit "$((failed > 0))"
