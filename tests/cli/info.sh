#!/bin/sh
# tests/cli/info.sh - what `dtensor info` shows, and that its JSON is JSON.
#
# usage: info.sh DTENSOR
set -eu
dtensor=$1
failed=0

complain() {
    echo "info.sh: $1" >&2
    failed=$((failed + 1))
}

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
assert info["kernels_for"] in ("portable", "avx2", "avx512")
assert info["cores"] >= 1 and info["memory"] > info["memory_available"] > 0
assert {"threads", "sim"} <= {row["name"] for row in info["transports"]}
settings = {row["name"]: row for row in info["settings"]}
assert settings["DT_LOG"]["value"] == "debug"
assert settings["DT_LOG"]["origin"] == "environment"
assert all(row["summary"] for row in info["settings"])
' || complain "the JSON is not as it should be"
fi

exit "$((failed > 0))"
