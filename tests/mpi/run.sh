#!/bin/sh
# tests/mpi/run.sh - programs under mpirun: found, failing, without the plug-in.
#
# usage: run.sh MPIRUN PROGRAM OWN
set -u
mpirun=$1
program=$2
own=$3
passed=0
failed=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# Run on three ranks; what is written is in $output, the exit status in $code.
run() {
    timeout -k 5 300 "$mpirun" --allow-run-as-root --oversubscribe -n 3 "$@" \
        >"$output" 2>&1 </dev/null
    code=$?
}

# expect NAME CODE TEXT: the exit status is 0 (or not, or 124 never), and the
# text is there.
expect() {
    good=0
    case $2 in
    0) [ "$code" -eq 0 ] && good=1 ;;
    *) [ "$code" -ne 0 ] && [ "$code" -ne 124 ] && [ "$code" -ne 137 ] && good=1 ;;
    esac
    grep -q "$3" "$output" || good=0
    if [ "$good" -eq 1 ]; then
        passed=$((passed + 1))
        echo "ok   $1"
    else
        failed=$((failed + 1))
        echo "FAIL $1: exit status $code"
        cat "$output"
    fi
}

run "$program"
expect "dt_main finds MPI" 0 "3 ranks on mpi: 6"

run "$program" worlds
expect "worlds one after another" 0 "3 ranks on mpi: 6"

run "$own"
expect "communicators of the program's own" 0 "own communicators: ok"

run "$program" fail
expect "a rank that fails ends the job with its sentence" 1 \
    "DT_ERR_INVALID: a group of -3 ranks"

run "$program" poison
expect "a rank that poisons ends the job and says why" 1 \
    "MPI ends the job, as this rank failed: it called dt_world_poison"

run "$program" exit
expect "a rank that exits with a failure ends the job" 1 "3 ranks on mpi: 6"

run "$program" fork
expect "what a rank forks may exit" 0 "3 ranks on mpi: 6"

run "$program" lose
expect "a rank that goes on with what never came ends the job" 1 \
    "MPI ends the job, as this rank failed: .*: 4 were sent"

DT_MPI_PLUGIN=/nowhere/plugin.so run "$program"
expect "a plug-in that does not exist is named" 1 \
    "DT_MPI_PLUGIN names /nowhere/plugin.so: No such file"

# Without plug-in: the program alone, where no plug-in is beside it.
alone=$(mktemp -d)
cp "$program" "$alone/program"
run "$alone/program"
expect "without the plug-in there is no world" 1 "libdtensor-mpi-openmpi.so"
if grep -q "ranks on" "$output"; then
    failed=$((failed + 1))
    echo "FAIL without the plug-in some rank ran alone"
fi
rm -rf "$alone"

DT_TRANSPORT=threads run "$program"
expect "threads, where someone asks for them" 0 "1 ranks on threads: 1"

DT_MPI_ORDER=sideways run "$program"
expect "an order that does not exist is refused" 1 "it takes any or ranks"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
