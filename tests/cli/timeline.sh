#!/bin/sh
# tests/cli/timeline.sh - a timeline is what other programs read.
#
# usage: timeline.sh DTENSOR      (in the top folder of the tree)
set -eu
dtensor=$1
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
program=$(dirname "$dtensor")/test_ranks_trace_timeline
file=$(mktemp)
trap 'rm -f "$file"' EXIT

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

finish
