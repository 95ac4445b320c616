#!/bin/sh
# tests/mpi/stray.sh - ranks that wait in vain end the job, and say for whom.
#
# usage: stray.sh MPIRUN PROGRAM
set -u
program=$2
# shellcheck source=tests/mpi/support.sh
. "$(dirname "$0")/support.sh"
export DT_TIMEOUT=1 DT_CHECK=on

# stray RANKS WAY: a run that the watch does not end takes a minute and fails.
stray() {
    launch 60 "$1" "$program" "$2"
}

in_reduce="in all-reduce(sum) of 4 f32, call #2 of ranks 0-1"

stray 2 stall
expect "a rank that computes is named" 1 \
    "rank 0: DT_ERR_PEER: waited 1 s (DT_TIMEOUT) $in_reduce: rank 1 did not join it, last seen computing after barrier, call #1 of ranks 0-1"

stray 3 stall-behind
expect "a rank is named for which others wait in the end" 1 \
    "rank 0: .*: rank 1 did not join it, as it waits for rank 2, last seen computing after barrier, call #1 of ranks 0-2" \
    "rank 1: .*: rank 2 did not join it, last seen computing after barrier"

stray 2 leave
expect "a rank that returns early is named" 1 \
    "rank 0: DT_ERR_PEER: waits $in_reduce: rank 1 closed its world without joining it, last seen computing after barrier"

stray 2 exit
expect "a rank that exits early is named" 1 \
    "rank 0: DT_ERR_PEER: waits $in_reduce: rank 1 closed its world without"

stray 2 send
expect "a rank that does not receive is named" 1 \
    "rank 0: DT_ERR_PEER: waits in send of 1000000 f32.*: rank 1 closed its world without joining it"

stray 2 group
expect "a rank that does not make a group is named" 1 \
    "rank 0: DT_ERR_PEER: waits in making the group of ranks 1,0: rank 1 closed its world"

stray 2 groups
expect "ranks that call in two orders are named" 1 \
    "DT_ERR_DIVERGED: deadlock: .*rank 0 in all-reduce.* of ranks 0-1 for rank 1" \
    "rank 1 in all-reduce.* of ranks 1,0 for rank 0"

stray 2 messages
expect "a receive and a collective are named" 1 \
    "DT_ERR_DIVERGED: deadlock: .*rank 0 $in_reduce for rank 1" \
    "rank 1 in receive of 5 f32.* for rank 0"

stray 2 differ
expect "calls that differ are named" 1 \
    "rank 0 called all-reduce(sum) of 100000 f32, rank 1 called barrier\|rank 1 called barrier, rank 0 called all-reduce(sum) of 100000 f32"

stray 2 open
expect "a world that others do not open ends" 1 \
    "rank 0: DT_ERR_PEER: waited 1 s (DT_TIMEOUT) in opening the world: it waits for ranks of this call that do not write such a line"

DT_TIMEOUT=2
stray 2 suspend
expect "a job that is suspended goes on" 0 "^went on"

DT_TIMEOUT=300
stray 2 watch
expect "a rank has a watch" 0 "^watched"

DT_TIMEOUT=0
stray 2 watch
expect "there is no watch without a time limit" 0 "^not watched"

DT_TIMEOUT=1
DT_CHECK=off
stray 2 differ
expect "calls that differ end without DT_CHECK as well" 1 \
    "rank 0: .* waited 1 s .* in all-reduce(sum) of 100000 f32.*, rank 1 is in barrier, call #3"

finish
