#!/bin/sh
# tests/mpi/run.sh - programs under mpirun: found, failing, without the plug-in.
#
# usage: run.sh MPIRUN PROGRAM OWN
set -u
program=$2
own=$3
# shellcheck source=tests/mpi/support.sh
. "$(dirname "$0")/support.sh"

# run COMMAND...: on three ranks.
run() {
    launch 300 3 "$@"
}

run "$program"
expect "dt_main finds MPI" 0 "3 ranks on mpi: 6"

run "$program" worlds
expect "worlds one after another" 0 "3 ranks on mpi: 6"

run "$own"
expect "communicators of the program's own" 0 "own communicators: ok"

run "$program" fail
expect "a rank that fails ends the job with its message" 1 \
    "DT_ERR_INVALID: dt_group_create: count is -3"

run "$program" poison
expect "a rank that poisons ends the job and says why" 1 \
    "MPI ends the job because this rank failed: it called dt_world_poison"

run "$program" exit
expect "a rank that exits with a failure ends the job" 1 "3 ranks on mpi: 6"

run "$program" fork
expect "what a rank forks may exit" 0 "3 ranks on mpi: 6"

run "$program" lose
expect "a rank that goes on with what never came ends the job" 1 \
    "MPI ends the job because this rank failed: .*: 4 elements were sent"

DT_MPI_PLUGIN=/nowhere/plugin.so run "$program"
expect "a plug-in that does not exist is named" 1 \
    "DT_MPI_PLUGIN names /nowhere/plugin.so: No such file"

# Without plug-in: the program alone, where no plug-in is beside it.
alone=$(mktemp -d)
cp "$program" "$alone/program"
run "$alone/program"
expect "without the plug-in there is no world" 1 "libdtensor-mpi-openmpi.so"
if grep -q "ranks on" "$output"; then
    fail "without the plug-in some rank ran alone"
fi
rm -rf "$alone"

DT_TRANSPORT=threads run "$program"
expect "threads, where someone asks for them" 0 "1 ranks on threads: 1"

DT_MPI_ORDER=sideways run "$program"
expect "an order that does not exist is refused" 1 "expected any or ranks"

finish
