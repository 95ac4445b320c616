#!/bin/sh
# tests/cli/manual.sh - the manual page names every command, option, suite and setting.
#
# usage: manual.sh DTENSOR      (in the top folder of the tree)
set -eu
dtensor=$1
page=docs/dtensor.1
failed=0

complain() {
    echo "manual.sh: $page: $1" >&2
    failed=$((failed + 1))
}

for command in $("$dtensor" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    grep -q "^\.It Cm $command" "$page" || complain "no command $command"
    for option in $("$dtensor" help "$command" | sed -n 's/^  --\([a-z-]*\) .*/\1/p'); do
        grep -q "^\.\(It\|Op\) Fl -$option" "$page" ||
            complain "no option --$option of $command"
    done
done
for suite in $("$dtensor" bench --list | sed 's/ .*//'); do
    grep -q "^\.It Cm $suite" "$page" || complain "no suite $suite"
done
for setting in $("$dtensor" info | sed -n 's/^  \(DT_[A-Z_]*\) .*/\1/p'); do
    grep -q "^\.It Ev $setting" "$page" || complain "no setting $setting"
done
# Words are what is wanted.
# shellcheck disable=SC2013
for setting in $(sed -n 's/^\.It Ev \(DT_[A-Z_]*\)/\1/p' "$page"); do
    "$dtensor" info | grep -q "^  $setting " || complain "$setting is no setting"
done
if command -v mandoc >/dev/null; then
    said=$(mandoc -T lint -W warning "$page") || complain "$said"
fi

exit "$((failed > 0))"
