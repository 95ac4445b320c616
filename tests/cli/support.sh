# tests/cli/support.sh - runs of the command, and checks of what they print.
#
# Scripts source this file and call `finish` last.  Before they use `expect` they
# set `dtensor`, the path of the command, and `subcommand`, which may be empty.
# shellcheck shell=sh
failed=0

complain() {
    echo "$(basename "$0"): $1" >&2
    failed=$((failed + 1))
}

finish() {
    exit "$((failed > 0))"
}

# run_subcommand ARGUMENT...: run the subcommand.
run_subcommand() {
    # shellcheck disable=SC2154,SC2086 # set by the script; nothing, or a word
    "$dtensor" $subcommand "$@"
}

# expect STATUS TEXT ARGUMENT...: the exit status, and a part of the output.
expect() {
    wanted=$1
    text=$2
    shift 2
    status=0
    said=$(run_subcommand "$@" 2>&1 </dev/null) || status=$?
    [ "$status" -eq "$wanted" ] ||
        complain "dtensor $subcommand $*: exit $status, not $wanted: $said"
    case $said in
    *"$text"*) ;;
    *) complain "dtensor $subcommand $*: \"$text\" is not in: $said" ;;
    esac
}

# expect_golden NAME ARGUMENT...: the output is tests/golden/SUBCOMMAND/NAME.txt.
# Where a change of it is meant, DT_TEST_UPDATE=1 writes it anew.
expect_golden() {
    file=tests/golden/$subcommand/$1.txt
    shift
    if [ -n "${DT_TEST_UPDATE-}" ]; then
        run_subcommand "$@" >"$file"
    fi
    run_subcommand "$@" | diff -u "$file" - ||
        complain "dtensor $subcommand $*: not $file"
}

# has TEXT PATTERN: a line of the text matches.
has() {
    printf '%s\n' "$1" | grep -q "$2" || complain "no line like: $2, in: $1"
}
