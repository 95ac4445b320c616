#!/bin/sh
# tests/mpi/support.sh - runs under mpirun and what is expected of them.
#
# Scripts whose first argument is the path of mpirun source this file and call
# `finish` last.
mpirun=$1
passed=0
failed=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# launch LIMIT RANKS COMMAND...: run ranks for at most LIMIT seconds; what is
# written is in $output, the exit status in $code.
launch() {
    limit=$1
    ranks=$2
    shift 2
    timeout -k 5 "$limit" "$mpirun" --allow-run-as-root --oversubscribe \
        -n "$ranks" "$@" >"$output" 2>&1 </dev/null
    code=$?
}

fail() {
    failed=$((failed + 1))
    echo "FAIL $1"
    cat "$output"
}

# expect NAME CODE TEXT...: the exit status is 0, or if CODE is not 0 neither 0
# nor that of a timeout, and every text is there.
expect() {
    name=$1
    good=1
    case $2 in
    0) [ "$code" -eq 0 ] || good=0 ;;
    *) case $code in 0 | 124 | 137) good=0 ;; esac ;;
    esac
    shift 2
    for text in "$@"; do
        grep -q -e "$text" "$output" || good=0
    done
    if [ "$good" -eq 1 ]; then
        passed=$((passed + 1))
        echo "ok   $name"
    else
        fail "$name: exit status $code"
    fi
}

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
