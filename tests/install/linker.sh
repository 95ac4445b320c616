#!/bin/sh
# tests/install/linker.sh - `make install` runs ldconfig where it may, and says
# so where it may not.
#
# usage: linker.sh ROOT
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0

# expect NAME TEXT FOLDER: what is said of a library in this folder.
expect() {
    echo "$3/libdtensor.so.0.1" >"$work/manifest"
    said=$(PATH="$work:$PATH" "$root/tools/tell-linker" "$work/manifest")
    case $said in
    *"$2"*) passed=$((passed + 1)) ;;
    *)
        echo "$1: \"$2\" is not in: $said" >&2
        exit 1
        ;;
    esac
}

# An ldconfig that looks in one folder and leaves a mark when it is run.
cat >"$work/ldconfig" <<END
#!/bin/sh
case "\$*" in
"-v -N") echo "/looked/in: (from /etc/ld.so.conf.d/x.conf:1)" ;;
"") [ ! -e "$work/forbidden" ] && touch "$work/ran" ;;
esac
END
chmod +x "$work/ldconfig"

expect "known folder" "ldconfig was run" /looked/in
[ -e "$work/ran" ] || {
    echo "ldconfig was not run" >&2
    exit 1
}
rm "$work/ran"
touch "$work/forbidden"
expect "without rights" "after root has run: ldconfig" /looked/in
rm "$work/forbidden"
expect "other folder" "export LD_LIBRARY_PATH=/elsewhere/lib" /elsewhere/lib
said=$(DESTDIR=/stage PATH="$work:$PATH" "$root/tools/tell-linker" "$work/manifest")
if [ -n "$said" ] || [ -e "$work/ran" ]; then
    echo "staged: $said" >&2
    exit 1
fi
passed=$((passed + 1))
echo "$passed passed, 0 failed"
