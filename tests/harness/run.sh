#!/bin/sh
# tests/harness/run.sh - the harness notices tests that fail.
#
# usage: run.sh PROGRAM COUNTED      (COUNTED: 1 if live objects are counted)
set -eu
program=$1 counted=$2
passed=0
failed=0

# Run one test; it must fail, say why, and be counted.
expect() {
    if out=$(DT_TEST_ALARM=1 "$program" --only "$1" 2>&1); then
        echo "\"$1\" did not fail"
        failed=$((failed + 1))
    elif echo "$out" | grep -q "$2" && echo "$out" | grep -qx "FAIL $1" &&
        echo "$out" | grep -qx "0 passed, 1 failed"; then
        passed=$((passed + 1))
    else
        echo "\"$1\" wrote: $out"
        failed=$((failed + 1))
    fi
}

expect "fails a check" "tests/harness/failing.c:[0-9]*: world == NULL"
expect "fails an int" "1, not 1000"
expect "fails a text" "not \"none\""
expect "fails a call" "DT_ERR_IO, not DT_OK: the disk"
expect "fails without a message" "without a message"
expect "fails with another message" "lacks \"tape\": the disk"
expect "hangs" "still running after 1 s"
[ "$counted" -eq 0 ] || expect "leaves an object" "objects left: 1 array"
"$program" --only passes | grep -qx "1 passed, 0 failed"
passed=$((passed + 1))
if "$program" --only "no such test" >/dev/null ||
    "$program" --ranks 0 2>/dev/null; then
    echo "nothing to run, or no ranks, is accepted"
    failed=$((failed + 1))
fi
[ "$("$program" --list | wc -l)" -eq 9 ]
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
