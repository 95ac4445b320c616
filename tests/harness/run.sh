#!/bin/sh
# tests/harness/run.sh - the harness notices tests that fail.
#
# usage: run.sh FAILING FAILING_RANKS COUNTED
#
# COUNTED is 1 if live objects are counted in this build.
set -eu
program=$1 ranks_program=$2 counted=$3
passed=0
failed=0

# Run one test; it must fail, say why, and be counted.  Then more arguments.
expect() {
    test=$1 reason=$2
    shift 2
    if out=$("$program" --only "$test" "$@" 2>&1); then
        echo "\"$test\" did not fail"
        failed=$((failed + 1))
    elif echo "$out" | grep -q "$reason" && echo "$out" | grep -qx "FAIL $test" &&
        echo "$out" | grep -qx "0 passed, 1 failed"; then
        passed=$((passed + 1))
    else
        echo "\"$test\" wrote: $out"
        failed=$((failed + 1))
    fi
}

expect "fails a check" "tests/harness/failing.c:[0-9]*: world == NULL"
expect "fails an int" "1, not 1000"
expect "fails a text" "not \"none\""
expect "fails a call" "DT_ERR_IO, not DT_OK: the disk"
expect "fails without a message" "without a message"
expect "fails with another message" "lacks \"tape\": the disk"
DT_TEST_ALARM=1 expect "hangs" "still running after 1 s"
[ "$counted" -eq 0 ] || expect "leaves an object" "objects left: 1 array"
"$program" --only passes | grep -qx "1 passed, 0 failed"
passed=$((passed + 1))
if "$program" --only "no such test" >/dev/null ||
    "$program" --ranks 0 2>/dev/null; then
    echo "nothing to run, or no ranks, is accepted"
    failed=$((failed + 1))
fi
[ "$("$program" --list | wc -l)" -eq 9 ]

program=$ranks_program
"$program" --only passes --ranks 3 | grep -qx "1 passed, 0 failed"
passed=$((passed + 1))
out=$("$program" --only "is skipped" --ranks 3)
if echo "$out" | grep -qx "skip is skipped: it cannot hold" &&
    echo "$out" | grep -qx "0 passed, 0 failed"; then
    passed=$((passed + 1))
else
    echo "\"is skipped\" wrote: $out"
    failed=$((failed + 1))
fi
expect "fails on one rank" "rank 2: dt_world_rank" --ranks 3
DT_TEST_ALARM=1 expect "hangs on one rank" "still running after 1 s" --ranks 3
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
