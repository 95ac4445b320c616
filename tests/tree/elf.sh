#!/bin/sh
# tests/tree/elf.sh - what is built loads nothing from the current directory and
# is hardened.  Prints what is wrong.
#
# usage: elf.sh FOLDER...
set -eu
command -v readelf >/dev/null || exit 77

faults=$(mktemp)
list=$(mktemp)
trap 'rm -f "$faults" "$list"' EXIT

fault() {
    echo "$*" >>"$faults"
}

# An element that is empty or relative is looked for where the program was
# started.
check_runpath() {
    readelf -d "$1" | sed -n 's/.*(R\(UN\)\{0,1\}PATH).*\[\(.*\)\].*/\2/p' |
        tr ':' '\n' | grep -qv '^[/$]' && fault "$1: RUNPATH $2"
    return 0
}

check_hardened() {
    readelf -lW "$1" | grep -q GNU_RELRO || fault "$1: no RELRO"
    echo "$2" | grep -q 'BIND_NOW\|FLAGS_1.*NOW' || fault "$1: no BIND_NOW"
    readelf -h "$1" | grep -q 'Type:.*DYN' ||
        fault "$1: not position-independent"
}

# Of the command and the library: functions with checks are called.
check_fortified() {
    symbols=$(readelf -sW --dyn-syms "$1")
    echo "$symbols" | grep -q __stack_chk_fail ||
        fault "$1: no stack protector"
    echo "$symbols" | grep -q 'printf_chk' || fault "$1: not fortified"
}

find "$@" -type f ! -name '*.a' ! -name '*.o' >"$list"
count=0
while read -r file; do
    header=$(head -c 4 "$file" | tail -c 3 | tr -d '\0')
    [ "$header" = ELF ] || continue
    count=$((count + 1))
    dynamic=$(readelf -d "$file")
    check_runpath "$file" "$(echo "$dynamic" | grep -E 'R(UN)?PATH' || true)"
    check_hardened "$file" "$dynamic"
    case ${file##*/} in
    dtensor | libdtensor.so*) check_fortified "$file" ;;
    esac
done <"$list"
cat "$faults"
[ "$count" -gt 0 ] || {
    echo "no program in $*"
    exit 1
}
[ ! -s "$faults" ]
