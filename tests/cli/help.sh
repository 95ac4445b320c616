#!/bin/sh
# tests/cli/help.sh - help, version, and what is said to wrong calls.
#
# usage: help.sh DTENSOR
set -eu
dtensor=$1
subcommand=
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

expect 0 "usage: dtensor" --help
expect 0 "usage: dtensor" -h
expect 0 "usage: dtensor" help
expect 0 "dtensor 0." --version
expect 2 "usage: dtensor"
for command in bench dryrun help info ops show; do
    expect 0 "  $command " --help
    expect 0 "usage: dtensor $command" help "$command"
    expect 0 "usage: dtensor $command" "$command" --help
done

expect 2 'did you mean "info"?' inof
expect 2 'did you mean "bench"?' help bnech
expect 2 "dtensor --help lists them" zzzzzzzzzz
expect 2 "there is no option --jsno; did you mean --json?" info --jsno
expect 2 "dtensor help info lists them" info -x
expect 2 'unexpected argument "more"' info more
expect 2 "--json takes no value" info --json=yes
expect 2 "which suite?" bench
expect 2 'did you mean "memory"?' bench memroy
expect 2 "--ranks takes a whole number from 1, not \"0\"" bench memory --ranks 0
expect 2 "--ranks takes a whole number from 1, not \"2x\"" bench memory --ranks=2x
expect 2 "--only needs a value" bench memory --only
expect 2 "there is no suite \"--list\"" bench -- --list

# What goes wrong is said on stderr alone, and a full disk is noticed.
said=$("$dtensor" inof 2>/dev/null || true)
[ -z "$said" ] || complain "an error on stdout: $said"
if [ -c /dev/full ] && "$dtensor" --version >/dev/full 2>&1; then
    complain "nobody noticed that nothing was written"
fi

finish
