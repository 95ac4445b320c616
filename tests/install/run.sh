#!/bin/sh
# tests/install/run.sh - programs outside this tree use what was installed:
# through CMake and pkg-config, shared and static, in C and C++.
#
# usage: run.sh ROOT BUILD CC CXX
set -eu
root=$1 build=$2 cc=$3 cxx=$4
work=$build/install-test
rm -rf "$work"
mkdir -p "$work"

passed=0
# Run a consumer on three ranks and compare what it writes.
expect() {
    name=$1
    shift
    DT_RANKS=3 "$@" >"$work/out" || {
        echo "$name: failed" >&2
        exit 1
    }
    grep -qx "6 on every one of 3 ranks" "$work/out" || {
        echo "$name wrote:" >&2
        cat "$work/out" >&2
        exit 1
    }
    passed=$((passed + 1))
}

# Is the program linked with the shared library?
is_shared() {
    LD_LIBRARY_PATH=$libraries ldd "$1" 2>/dev/null | grep -q libdtensor
}

fail() {
    echo "$*" >&2
    exit 1
}

# Staged with DESTDIR, then moved: nothing may hold on to where it was built.
DESTDIR=$work/stage cmake --install "$build" --prefix /opt/dtensor >"$work/log"
prefix=$work/moved
mv "$work/stage/opt/dtensor" "$prefix"
pc=$(find "$prefix" -name dtensor.pc)
libraries=$(dirname "$(dirname "$pc")")
[ -f "$prefix/include/dtensor/dtensor.h" ] || fail "no header installed"
[ -s "$prefix/share/dtensor/ops.json" ] || fail "no ops.json installed"
[ -L "$libraries/libdtensor.so" ] || fail "no libdtensor.so installed"
if [ -x "$build/bin/dtensor" ]; then
    "$prefix/bin/dtensor" --version >/dev/null || fail "the command does not run"
fi

# Nothing installed loads libraries from the current directory.
sh "$root/tests/tree/elf.sh" "$prefix" || fail "see tests/tree/elf.sh"

# CMake: the project in this folder makes a program of each kind.
cmake -S "$root/tests/install" -B "$work/cmake" -G Ninja \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_PREFIX_PATH="$prefix" >>"$work/log"
cmake --build "$work/cmake" >>"$work/log"
for program in c_shared c_static c_default cxx_shared cxx_static; do
    expect "cmake $program" "$work/cmake/$program"
    case $program in
    *_static) ! is_shared "$work/cmake/$program" || fail "$program is shared" ;;
    *) is_shared "$work/cmake/$program" || fail "$program is not shared" ;;
    esac
done

# pkg-config.
export PKG_CONFIG_PATH="${pc%/*}"
version=$(sed -n 's/.*DT_VERSION_STRING "\(.*\)"/\1/p' \
    "$root/include/dtensor/version.h")
[ "$(pkg-config --modversion dtensor)" = "$version" ] || fail "wrong version"
flags=$(pkg-config --cflags --libs dtensor)
all_flags=$(pkg-config --static --cflags --libs dtensor)
# Flags are meant to be split into words.
# shellcheck disable=SC2086
{
    "$cc" -std=c11 "$root/tests/install/consumer.c" -o "$work/c" $flags
    "$cc" -std=c11 -static "$root/tests/install/consumer.c" \
        -o "$work/c_static" $all_flags
    "$cxx" -std=c++11 "$root/tests/install/consumer.cpp" -o "$work/cxx" $flags
    "$cxx" -std=c++11 -static "$root/tests/install/consumer.cpp" \
        -o "$work/cxx_static" $all_flags
}
expect "pkg-config C" env LD_LIBRARY_PATH="$libraries" "$work/c"
expect "pkg-config C++" env LD_LIBRARY_PATH="$libraries" "$work/cxx"
expect "pkg-config static C" "$work/c_static"
expect "pkg-config static C++" "$work/cxx_static"

# What programs load is the name with the minor number.
soname=$(readelf -d "$libraries/libdtensor.so" |
    sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[ "$soname" = "libdtensor.so.${version%.*}" ] || fail "SONAME is $soname"
echo "$passed passed, 0 failed"
