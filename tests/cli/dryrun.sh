#!/bin/sh
# tests/cli/dryrun.sh - programs as one rank of many, and what that reports.
#
# usage: dryrun.sh DTENSOR      (in the top folder of the tree)
set -eu
dtensor=$1
subcommand=dryrun
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
examples=$(dirname "$dtensor")
redistribute=$examples/example_05-redistribute

expect 0 "rank 0 of 4, nothing sent or computed" -n 4 "$redistribute"
expect 0 "rank 3 of 4, nothing" -n 4 --rank 3 -- "$redistribute"
expect 0 "rank 2 has [0:5, 2:3], without elements" -n 100000 --rank 2 "$redistribute"
expect 0 "1 all-to-all" -n 4 "$redistribute"
expect 0 "peak memory 128 B; 4 such ranks have 512 B" -n 4 "$redistribute"
expect 0 "times: calls over mpi by its cost table; computing at 2 GFLOP/s or 3 GB/s" \
    -n 4 --transport mpi --flops 2G --bandwidth=3G "$redistribute"
expect 0 "usage: dtensor dryrun" --help
expect 0 "2 all-reduce" -n 100000 --rank 99999 "$examples/example_02-mesh"

# Backward passes: the gradient of the input is reduced, those of weights are
# where they belong.
backward=$examples/test_cli_backward
expect 0 "redistribute        3  2 all-reduce  1.50 KiB" -n 4 "$backward"
expect 0 "tanh_backward       1 " -n 4 "$backward"
expect 0 "2 all-reduce" -n 100000 --rank 99999 "$backward"
"$dtensor" dryrun -n 4 --json "$backward" | python3 -c '
import json, sys
report = json.loads(sys.stdin.read())
operators = {one["operator"]: one for one in report["operators"]}
assert operators["contract"]["calls"] == 4, operators
# x, up, down, hidden and their gradients at least: 8x16, 16x16, 16x16, 8x16 of f32.
assert report["peak_memory"] >= 2 * 4 * (128 + 256 + 256 + 128), report["peak_memory"]
assert report["seconds"] > report["communication"]
' || complain "the JSON of a backward pass is not as it should be"

# Values cannot be read: the program is told so, and what it did until then is
# reported.
expect 1 "dt_tensor_get: not supported on sim" -n 3 "$examples/example_04-tensor"
expect 1 "1 scatter" -n 3 "$examples/example_04-tensor"
# A rank that would run out of memory is told so.
DT_MEMORY_LIMIT=100 expect 1 "DT_ERR_NO_MEMORY" -n 4 "$redistribute"
DT_MEMORY_LIMIT=100 expect 1 "of the 100 bytes of the memory limit" -n 4 "$redistribute"
# A program that writes to elements ends there: what it did until then is
# reported, with the reason.  One that looks whether there are any goes on, and
# is reported once.
writes=$examples/test_cli_writes
for option in -n4 "-np=4"; do
    said=$("$dtensor" dryrun "$option" "$writes" 2>&1) &&
        complain "writing to elements that are missing ends well"
    case $said in
    *"1 all-reduce"*"dt_array_const_data return NULL"* | \
        *"dt_array_const_data return NULL"*"1 all-reduce"*) ;;
    *) complain "a program that writes: $said" ;;
    esac
done
expect 0 "2 all-reduce" -n 4 "$writes" --look
[ "$("$dtensor" dryrun -n 4 "$writes" --look | grep -c 'nothing sent')" -eq 1 ] ||
    complain "a world is reported twice"

expect 2 "the number of ranks is required: -n RANKS" "$redistribute"
expect 2 "a program is required" -n 4
expect 2 "--rank must be less than -n" -n 4 --rank 4 "$redistribute"
expect 2 "--flops takes a number per second" -n 4 --flops fast "$redistribute"
expect 2 "--bandwidth takes a number per second" -n 4 --bandwidth 0 "$redistribute"
expect 2 "--transport takes shm, mpi or threads" -n 4 --transport mail "$redistribute"
expect 2 "there is no option --rnak; did you mean --rank?" -n 4 --rnak 1 "$redistribute"
expect 127 "No such file or directory" -n 4 ./there-is-no-such-program
expect 1 "closed no world" -n 4 true
expect 7 "" -n 4 sh -c 'exit 7'
# shellcheck disable=SC2016
expect 143 "was ended by signal 15" -n 4 sh -c 'kill -15 $$'
# shellcheck disable=SC2016
expect 1 "is malformed" -n 4 sh -c 'echo "{" >&$DT_DRY_RUN'

# With --json there is nothing else on stdout.
"$dtensor" dryrun -n 64 --rank 1 --json "$redistribute" 2>/dev/null | python3 -c '
import json, sys
lines = sys.stdin.read().splitlines()
assert len(lines) == 1, lines
report = json.loads(lines[0])
assert report["ranks"] == 64 and report["rank"] == 1
assert report["peak_memory"] == 128
assert report["transport"] == "shm"
assert report["flops_per_second"] == 50e9 and report["bytes_per_second"] == 10e9
operators = {one["operator"]: one for one in report["operators"]}
one = operators.pop("redistribute")
assert one["calls"] == 1
assert not any(other["collectives"] for other in operators.values()), operators
(calls,) = one["collectives"]
# Rank 1 has row 1 and gets column 1: from the other four ranks that have rows.
assert calls["kind"] == "all-to-all" and calls["ranks"] == 64
assert (calls["calls"], calls["peers"], calls["received"]) == (1, 4, 16)
assert 0 < calls["seconds"] == report["communication"] == report["seconds"]
' || complain "the JSON is not as it should be"

finish
