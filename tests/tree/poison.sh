#!/bin/sh
# tests/tree/poison.sh - the address sanitizer of a program sees memory that the
# library has kept, however the library was built.
#
# usage: poison.sh ROOT BUILD CC
set -eu
root=$1 build=$2 cc=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/late.c" <<'END'
#include <dtensor/dtensor.h>

static dt_status program(dt_world *world, void *arg)
{
    dt_array *array = 0;
    DT_TRY(dt_array_create(world, DT_F32, DT_SHAPE(8), &array));
    volatile float *data = dt_array_data(array);
    data[0] = 1;
    if (arg)
        data[0] = 2;
    dt_array_release(array);
    if (!arg)
        data[0] = 3;
    return DT_OK;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, argc > 1 ? argv : 0);
}
END
"$cc" -fsanitize=address -I"$root/include" "$folder/late.c" \
    -o "$folder/late" -L"$build/lib" -ldtensor -Wl,-rpath,"$build/lib" \
    2>"$folder/said" || {
    cat "$folder/said"
    echo "skipped: programs cannot be built with the address sanitizer"
    exit 77
}
export ASAN_OPTIONS=detect_leaks=0
"$folder/late" in-time
if "$folder/late" 2>"$folder/said"; then
    echo "a write to memory of a released array was not seen"
    exit 1
fi
grep -q use-after-poison "$folder/said" || {
    cat "$folder/said"
    exit 1
}
