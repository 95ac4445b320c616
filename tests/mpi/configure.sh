#!/bin/sh
# tests/mpi/configure.sh - a build notices that Open MPI has come, or has gone.
#
# usage: configure.sh SOURCE MPICC XXHASH
#
# The compiler of Open MPI is hidden from CMake, which looks in the folders of
# PATH alone, then put into one of these folders, and taken out again.
set -eu
source=$1
mpicc=$2
xxhash=$3 # the folder of xxhash.h, which is not on the PATH either
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/empty"
# All programs but those of MPI.
old=$IFS
IFS=:
for place in $PATH; do
    [ -d "$place" ] || continue
    for program in "$place"/*; do
        case ${program##*/} in
        mpi* | orte* | ompi*) ;;
        *) [ -e "$folder/bin/${program##*/}" ] ||
            ln -s "$program" "$folder/bin/" ;;
        esac
    done
done
IFS=$old
PATH=$folder/bin:$folder/empty
export PATH

# Configure if there is a reason to; expect what the build knows of Open MPI.
expect() {
    cmake --build "$folder/build" --target build.ninja >"$folder/output" 2>&1 || {
        cat "$folder/output"
        exit 1
    }
    found=no
    grep -q '^build dtensor_mpi_openmpi: phony' "$folder/build/build.ninja" &&
        found=yes
    if [ "$found" != "$2" ]; then
        echo "FAIL $1: a plug-in in the build: $found"
        cat "$folder/output"
        exit 1
    fi
    echo "ok   $1"
}

# A rule of ninja runs again when what it depends on is newer: let time pass.
pass_time() {
    sleep 1.1
}

cmake -S "$source" -B "$folder/build" -G Ninja -DDT_TESTS=OFF \
    -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF \
    -DDT_XXHASH_DIR="$xxhash" >"$folder/output" 2>&1 || {
    cat "$folder/output"
    exit 1
}
expect "without Open MPI there is no plug-in" no
pass_time
ln -s "$mpicc" "$folder/empty/mpicc.openmpi"
expect "Open MPI that has come is noticed" yes
pass_time
rm "$folder/empty/mpicc.openmpi"
expect "Open MPI that has gone is noticed" no
