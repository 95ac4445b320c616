#!/bin/sh
# tests/cli/run.sh - `dtensor run`: options, exit status, streams, environment.
#
# usage: run.sh DTENSOR
# shellcheck disable=SC2016 # scripts are for the shells of the ranks
set -eu
dtensor=$1
subcommand=run
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

# What cannot be run.
expect 2 'the number of ranks is required' true
expect 2 'the number of ranks is required'
expect 2 'a program is required' -n 2
expect 2 'a program is required' -n 2 --
expect 2 '-n needs a value' -n
expect 2 'a whole number from 1, not "0"' -n 0 true
expect 2 'a whole number from 1, not "two"' -n two true
expect 2 'did you mean --tag' -n 2 --tags true
expect 2 'seconds above 0, not "soon"' -n 2 --grace soon true
expect 2 'seconds above 0, not "0"' -n 2 --grace=0 true
expect 127 'cannot start the program "./no/such/program": No such file' -n 2 ./no/such/program
expect 1 'cannot start the program "/etc/passwd": Permission denied' -n 2 /etc/passwd
[ -z "$(DT_PIN=perhaps "$dtensor" run -n 2 echo ran 2>/dev/null)" ] ||
    complain "DT_PIN=perhaps is accepted"

# Gradients: the same losses on any number of ranks.
gradients=$(dirname "$dtensor")/example_09-gradients
losses=$("$dtensor" run -n 1 "$gradients")
has "$losses" '^step 4: loss 0.93492$'
for ranks in 2 4; do
    [ "$("$dtensor" run -n "$ranks" "$gradients")" = "$losses" ] ||
        complain "other losses on $ranks ranks"
done

# The number of ranks as other launchers have it.
expect 0 'of 2' -n2 sh -c 'echo "of $DT_SHM_SIZE"'
expect 0 'of 3' -np 3 sh -c 'echo "of $DT_SHM_SIZE"'
expect 0 'of 2' -np=2 -- sh -c 'echo "of $DT_SHM_SIZE"'
expect 2 'a whole number from 1, not "2x"' -n2x true
expect 2 'a whole number from 1, not "0"' -n0 true
expect 2 '-np needs a value' -np
expect 2 'there is no option -m2' -m2 true

# Options after the program are the program's.
expect 0 '--help -n 3' -n 1 echo --help -n 3
expect 0 '-n -- ' -n 1 -- printf '%s ' -n --
expect 0 'usage: dtensor run' --help
expect 0 'usage: dtensor run' -n 2 --help true

# A full disk ends nobody.
if [ -c /dev/full ]; then
    "$dtensor" run -n 2 --tag sh -c 'echo a; sleep 0.1; echo b; echo c' \
        >/dev/full || complain "ranks die of a full disk"
fi

# The worst exit status, and who had it.
expect 0 '' -n 4 true
expect 1 'rank ' -n 4 --grace 1000 false
expect 9 'rank 2 exited with status 9' -n 3 sh -c \
    'test "$DT_SHM_RANK" -ne 2 || exit 9'
expect 5 'rank ' -n 4 --grace 1000 sh -c 'exit $((DT_SHM_RANK + 2))'
expect 143 'rank 1 was killed by signal 15 (Terminated)' -n 2 --grace 0.1 \
    sh -c 'test "$DT_SHM_RANK" -ne 1 || kill $$; sleep 1000'

# Ranks know which they are; only the first reads.
said=$("$dtensor" run -n 3 sh -c \
    'echo "$DT_SHM_RANK of $DT_SHM_SIZE, $DT_RANKS, $DT_TRANSPORT"' | sort)
[ "$said" = "0 of 3, 3, shm
1 of 3, 3, shm
2 of 3, 3, shm" ] || complain "environment: $said"
said=$(echo typed | "$dtensor" run -n 3 --tag cat)
[ "$said" = "[0] typed" ] || complain "stdin: $said"

# More ranks than cores, and more than the system has room for.
"$dtensor" run -n 65 "$(dirname "$dtensor")/example_02-mesh" | grep -c 'rank ' |
    grep -qx 65 || complain "65 ranks"
expect 1 'DT_ERR_COMM: ' -n 2000000000 true
# shellcheck disable=SC3045 # shells that lack it would say so
said=$(
    ulimit -n 20
    "$dtensor" run -n 64 --tag true 2>&1
) && complain "64 ranks with 20 descriptors"
case $said in
*"cannot create pipes for the output of 64 ranks"*) ;;
*) complain "64 ranks with 20 descriptors: $said" ;;
esac

# Addresses are limited: heaps are smaller.  Sanitizers need more by themselves.
# shellcheck disable=SC3045 # shells that lack it would say so
if (ulimit -v 4000000 && "$dtensor" --version) >/dev/null 2>&1; then
    (
        ulimit -v 4000000
        "$dtensor" run -n 3 "$(dirname "$dtensor")/example_02-mesh"
    ) >/dev/null || complain "3 ranks under ulimit -v"
fi

# What the caller has closed is none of the ranks' memory.
for closed in '<&-' '>&-' '2>&-' '<&- >&-' '>&- 2>&-' '<&- >&- 2>&-'; do
    for tag in '' --tag; do
        status=0
        eval '"$dtensor" run -n 3 $tag sh -c "echo x; echo x >&2; exec \"\$@\"" -' \
            '"$(dirname "$dtensor")/example_02-mesh" >/dev/null 2>&1' \
            "$closed" || status=$?
        [ "$status" -eq 0 ] || complain "closed $closed $tag: exit $status"
    done
done

# The command itself runs on ranks that are processes, and says so once.
said=$("$dtensor" run -n 3 "$dtensor" info | grep DT_TRANSPORT)
case $said in
*shm*environment*) ;;
*) complain "info: $said" ;;
esac

# A program that a rank starts is no rank, and a rank that is started by hand
# is told what it lacks.
said=$(DT_TRANSPORT=shm "$dtensor" info 2>&1) && complain "shm without launcher"
case $said in
*"dtensor run -n"*) ;;
*) complain "no launcher: $said" ;;
esac

# Output goes on after the ranks are gone, and nobody minds a reader that left.
lines=$("$dtensor" run -n 2 --tag seq 20000 | wc -l)
[ "$lines" -eq 40000 ] || complain "$lines lines, not 40000"
"$dtensor" run -n 2 --tag --grace 0.2 seq 200000 2>/dev/null | head -1 \
    >/dev/null
long=$("$dtensor" run -n 1 --tag sh -c \
    'head -c 50000 /dev/zero | tr "\0" x' | tr -d '\n' | wc -c)
[ "$long" -ge 50000 ] || complain "$long bytes of a line of 50000"

finish
