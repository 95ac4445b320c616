#!/bin/sh
# tests/tree/dropped.sh - compilers warn when a status is dropped.
#
# usage: dropped.sh ROOT CC CXX
#
# In C and in C++ a dropped status is a warning; with DT_IGNORE it is not.
set -eu
root=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# Compile one statement; the third argument says whether that must fail.
try() { # COMPILER ENDING fails|passes STATEMENT
    cat >"$folder/dropped.$2" <<END
#include <dtensor/dtensor.h>
void close_both(dt_world *world, dt_tensor *x, dt_tensor **y, dt_tensor **z);
void close_both(dt_world *world, dt_tensor *x, dt_tensor **y, dt_tensor **z)
{
    (void)world, (void)x, (void)y, (void)z;
    $4;
}
END
    if "$1" -Wall -Wextra -Werror=unused-result -I"$root/include" \
        -c "$folder/dropped.$2" -o "$folder/dropped.o" 2>"$folder/said"; then
        found=passes
    else
        found=fails
    fi
    if [ "$found" != "$3" ]; then
        echo "$1: $4 $found"
        cat "$folder/said"
        failed=1
    fi
}

for language in c cpp; do
    compiler=$2
    [ $language = c ] || compiler=$3
    try "$compiler" $language passes 'DT_IGNORE(dt_world_close(world))'
    try "$compiler" $language fails 'dt_world_close(world)'
    try "$compiler" $language fails 'dt_world_recover(world)'
    try "$compiler" $language fails 'dt_max_dim(x, 0, false, y, z)'
done
exit $failed
