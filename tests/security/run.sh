#!/bin/sh
# tests/security/run.sh - a planted plug-in is loaded where a setting names it
# and nowhere else, and set-user-ID programs do not trust the environment.
#
# usage: run.sh PROGRAM PLANTED
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir -p "$work/away/bin" "$work/bin" "$work/lib/dtensor" "$work/marks" \
    "$work/away/lib/dtensor"
chmod 777 "$work/marks"
plugin=libdtensor-mpi-openmpi.so
cp "$1" "$work/away/bin/program"
cp "$2" "$work/lib/dtensor/$plugin"
export PLANTED_MARK="$work/marks/mark"
failed=0
passed=0

# check NAME TEXT LOADED: what the last program wrote to $work/out has the text,
# and the planted library was loaded or not.
check() {
    found=no
    [ -e "$PLANTED_MARK" ] && found=yes
    if [ "$found" = "$3" ] && grep -q "$2" "$work/out"; then
        passed=$((passed + 1))
        echo "ok   $1"
    else
        failed=$((failed + 1))
        echo "FAIL $1: planted library loaded: $found; the program wrote:"
        cat "$work/out"
    fi
    rm -f "$PLANTED_MARK"
}

program=$work/away/bin/program
cd "$work" || exit 1

DT_MPI_PLUGIN=$work/lib/dtensor/$plugin "$program" mpi >out
check "DT_MPI_PLUGIN names the plug-in" "has no function" yes

# The folder bin/ and ../lib/ are beside the name that the program is called by.
bash -c 'exec -a bin/program "$0" mpi' "$program" >out
check "a relative argv[0] is not trusted" "no world" no
bash -c 'exec -a "$1" "$0" mpi' "$program" "$work/bin/program" >out
check "nor is an absolute one" "no world" no

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    cp "$work/lib/dtensor/$plugin" "$work/away/lib/dtensor/"
    "$program" mpi >out
    check "a plug-in beside the program is loaded" "has no function" yes
    chmod 4755 "$program"
    as_nobody() {
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@" >out
    }
    as_nobody env DT_MPI_PLUGIN="$work/lib/dtensor/$plugin" "$program" mpi
    check "a set-user-ID program ignores DT_MPI_PLUGIN" "no world" no
    as_nobody env OMPI_COMM_WORLD_SIZE=2 DT_TRANSPORT=shm DT_RANKS=5 \
        DT_SHM_RANK=0 DT_SHM_SIZE=2 DT_SHM_DESCRIPTOR=1 "$program"
    check "and what looks like a launcher" "a world of 1 on threads" no
else
    echo "skip set-user-ID programs: not root, or no setpriv"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
