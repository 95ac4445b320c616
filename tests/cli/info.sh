#!/bin/sh
# tests/cli/info.sh - what `dtensor info` shows, and that its JSON is JSON.
#
# usage: info.sh DTENSOR
set -eu
dtensor=$1
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

# What is set from outside shows, with its origin.
text=$(DT_RANKS=2 DT_CPU=portable "$dtensor" info)
for pattern in '^dtensor  *[0-9]' '^compiler  *.' '^processor  *.' \
    '^kernels for  *portable' '^cores  *[1-9]' '^memory  *[0-9.]* GiB' \
    '^huge pages  *.' '^transports' '^  threads ' '^  sim ' '^settings' \
    '^  DT_RANKS  *2  *environment' '^  DT_TRANSPORT  *threads  *default'; do
    echo "$text" | grep -q "$pattern" || complain "no line like: $pattern"
done
case $text in
*"$(printf '\033')"*) complain "colours without a terminal" ;;
esac

# A transport in a plug-in is there, or says why not.
echo "$text" | grep -A1 '^  mpi ' | tail -n 1 |
    grep -qE '^  *(plug-in .*/libdtensor-mpi-openmpi.so|not available: .)' ||
    complain "it does not say whether the plug-in is there"
DT_MPI_PLUGIN=/nowhere/plugin.so "$dtensor" info |
    grep -q '^  *not available: .*/nowhere/plugin.so: No such file' ||
    complain "a plug-in that does not exist is not named"
DT_MPI_PLUGIN=$0 "$dtensor" info | grep -q '^  *not available: .*info.sh' ||
    complain "a plug-in that cannot be loaded is not named"

# A variable that nothing reads is named, once, with what was meant.
said=$(DT_RANKS=3 DT_RNKS=3 DT_NONSENSE_OF_MINE=1 DT_TEST_ANY=1 \
    "$dtensor" info 2>&1 >/dev/null)
case $said in
*'unknown environment variable DT_RNKS; did you mean DT_RANKS?'*) ;;
*) complain "DT_RNKS: $said" ;;
esac
case $said in
*'variable DT_NONSENSE_OF_MINE; '*) ;;
*) complain "DT_NONSENSE_OF_MINE: $said" ;;
esac
[ "$(echo "$said" | grep -c 'unknown environment variable')" -eq 2 ] ||
    complain "unknown variables: $said"
[ -z "$(DT_RANKS=2 DT_MPI_ORDER=ranks "$dtensor" info 2>&1 >/dev/null)" ] ||
    complain "known variables are called unknown"
for name in $(grep -rhoE 'getenv\("DT_[A-Z_]+"' src plugins | cut -d'"' -f2); do
    grep -q "\"$name\"" src/base/settings.c ||
        complain "$name is read, and src/base/settings.c does not know it"
done

# Which library multiplies matrices, by itself and as DT_BLAS asks.
"$dtensor" info | grep -qE \
    '^BLAS  *(none: .|OpenBLAS [0-9.]+, core [A-Za-z]+, 1 thread, /)' ||
    complain "no line of the BLAS"
DT_BLAS=none "$dtensor" info | grep -q '^BLAS  *none: DT_BLAS is none$' ||
    complain "DT_BLAS=none shows a BLAS"
status=0
said=$(DT_BLAS=libnowhere.so.7 "$dtensor" info 2>&1) || status=$?
[ "$status" -eq 1 ] || complain "DT_BLAS=libnowhere.so.7: exit $status, not 1"
case $said in
*'DT_BLAS is "libnowhere.so.7"'*) ;;
*) complain "DT_BLAS=libnowhere.so.7: $said" ;;
esac

# A program with the rights of another user loads no library that whoever starts
# it names.  Only root can make one, where the file system lets it.
if [ "$(id -u)" -eq 0 ]; then
    other=$(mktemp -d)
    trap 'rm -rf "$other"' EXIT
    cp "$dtensor" "$other/dtensor"
    chmod 755 "$other"
    chown nobody "$other/dtensor"
    chmod 4755 "$other/dtensor"
    if DT_BLAS=libnowhere.so.7 "$other/dtensor" info >"$other/out" 2>&1; then
        grep -qE '^BLAS  *(none|OpenBLAS)' "$other/out" ||
            complain "with another user's rights: $(cat "$other/out")"
    elif grep -q 'DT_BLAS is' "$other/out" &&
        ! findmnt -no OPTIONS -T "$other" 2>/dev/null | grep -qw nosuid; then
        complain "with another user's rights DT_BLAS is read"
    fi
fi

status=0
said=$(DT_RANKS=many "$dtensor" info 2>&1) || status=$?
[ "$status" -eq 1 ] || complain "DT_RANKS=many: exit $status, not 1"
case $said in
*'DT_RANKS is "many"'*) ;;
*) complain "DT_RANKS=many: $said" ;;
esac

json=$(DT_LOG=debug "$dtensor" info --json)
[ "$(echo "$json" | wc -l)" -eq 1 ] || complain "JSON on several lines"
if command -v python3 >/dev/null; then
    echo "$json" | python3 -c '
import json, sys
info = json.load(sys.stdin)
assert info["version"] and info["compiler"] and info["processor"]
assert isinstance(info["features"], list)
assert set(info["blas"]) == {"library", "version", "core", "threads", "reason"}
assert info["blas"]["library"] or info["blas"]["reason"]
assert info["kernels_for"] in ("portable", "avx2", "avx512")
assert info["cores"] >= 1 and info["memory"] > info["memory_available"] > 0
transports = {row["name"]: row for row in info["transports"]}
assert transports["threads"]["plugin"] == transports["threads"]["missing"] == ""
assert transports["mpi"]["plugin"] or transports["mpi"]["missing"]
assert "sim" in transports
settings = {row["name"]: row for row in info["settings"]}
assert settings["DT_LOG"]["value"] == "debug"
assert settings["DT_LOG"]["origin"] == "environment"
assert all(row["summary"] for row in info["settings"])
' || complain "the JSON is not as it should be"
fi

finish
