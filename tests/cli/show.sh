#!/bin/sh
# tests/cli/show.sh - what `dtensor show` draws and lists.
#
# usage: show.sh DTENSOR      (in the top folder of the tree)
set -eu
dtensor=$1
subcommand=show
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
unset COLUMNS NO_COLOR
export LC_ALL=C.UTF-8

# Pictures.
expect_golden uneven --mesh dp=2,tp=3 --shape 7x10 "S(0)S(1)"
expect_golden sixty-four --mesh a=8,b=8 --shape 16x16 "S(0)S(1)"
expect_golden order --mesh dp=2,tp=2 --shape 5x4 "S(0)[1]S(0)[0]"
expect_golden alike --mesh dp=2,tp=2 --shape 8x6 "_S(0,2)S(0)"
expect_golden strided --mesh dp=2,tp=2 --shape 9x6 "_S(0,2)R"
expect_golden panels --mesh a=2,b=2,c=2 --shape 7x6x4 "S(0)S(1)S(2)" --dtype bf16
expect_golden partial --mesh dp=2,tp=2 --shape 4x4 "RP(sum)"
expect_golden mixed --mesh dp=2,tp=2,ep=8 --shape 6x4 "P(sum)P(avg)S(1)"
expect_golden masked --mesh tp=6 --shape 4 "MaskP(sum)"
expect_golden empty --mesh dp=4,tp=2 --shape 13 "S(0)S(0)"
expect_golden scalar --mesh dp=6 --shape "()" "R"
expect_golden no-elements --mesh dp=2,tp=2 --shape 0x5 "S(0)S(1)"
expect_golden rank --mesh dp=2 --shape 20x3 "_S(0,5)" --rank 1
expect_golden stack --mesh a=64 --shape 128x4 "S(0)"
expect_golden many --mesh dp=1000,tp=100 --shape 100000x100000 "S(0)R"
expect_golden all --mesh dp=26 --shape 26 "S(0)" --all
export COLUMNS=30
expect_golden narrow --mesh dp=2,tp=3 --shape 70x1000 "S(0)S(1)"
export COLUMNS=20
expect 0 "no picture: it would be" --mesh a=3,b=4 --shape 1000x1000 "RP(sum)"
unset COLUMNS
export LC_ALL=C
expect_golden ascii --mesh dp=2,tp=3 --shape 7x10 "S(0)S(1)"
export LC_ALL=C.UTF-8
expect 0 "more than 1048576 blocks" --mesh a=4 --shape 100000000000 "_S(0,10000000000)"
expect 0 "12 of 90 panels" --mesh a=90 --shape 90x2x2 "S(0)"

# Ranks, however many, in no time; shapes may be as large as they like.  What counts is
# the processor's time, however much else it does.
# shellcheck disable=SC3045 # shells that lack it would say so
(
    ulimit -t 5
    run_subcommand --mesh dp=100000 --shape 100000x100000 "S(0)" >/dev/null
    run_subcommand --mesh a=100,b=100,c=10 --shape 100000x100000x1000 "S(0)S(1)S(0)" >/dev/null
) || complain "100000 ranks take too long"

# Colours.
escape=$(printf '\033')
set -- --mesh dp=2 --shape 4 "S(0)"
case $(run_subcommand "$@") in *"$escape"*) complain "colours without a terminal" ;; esac
case $(run_subcommand "$@" --color=always) in
*"${escape}[38;5;16;48;5;"*) ;;
*) complain "--color=always: no colours" ;;
esac
case $(run_subcommand "$@" --color=never) in *"$escape"*) complain "--color=never" ;; esac
if command -v script >/dev/null; then
    line="$dtensor show --mesh dp=2 --shape 4 'S(0)'"
    case $(TERM=xterm script -qec "$line" /dev/null) in
    *"${escape}[38;5;16;48;5;"*) ;;
    *) complain "no colours on a terminal" ;;
    esac
    case $(NO_COLOR=1 TERM=xterm script -qec "$line" /dev/null) in
    *"${escape}["*) complain "colours in spite of NO_COLOR" ;;
    esac
fi

# Wrong calls: the library's sentence where it has one.
expect 2 "a mesh is required" --shape 3 R
expect 2 "a shape is required" --mesh a=2 R
expect 2 "a layout is required" --mesh a=2 --shape 3
expect 2 'unexpected argument "S"' --mesh a=2 --shape 3 R S
expect 2 "did you mean --mesh?" --msh a=2 --shape 3 R
expect 2 'before ",b=3"' --mesh a=2,,b=3 --shape 3 RR
expect 2 'the size of "a" must be at least 1' --mesh a=0 --shape 3 R
expect 2 'each dimension of the mesh "a=2,b" needs a size' --mesh a=2,b --shape 3 RR
expect 2 "has more than 67108864 ranks" --mesh a=99999999,b=99999999 --shape 3 RR
expect 2 'before "X"' --mesh a=2 --shape 3 X
expect 2 'for example "S(0)R"' --mesh a=2 --shape 3 S0
expect 2 "dimension 1 of a tensor that has 1" --mesh a=2 --shape 3 "S(1)"
expect 2 "RR" --mesh a=2 --shape 3 RR
for shape in 7xy 7x 7xx8 "(7" "7)" "" 99999999999999999999; do
    expect 2 "\"$shape\" is not a shape" --mesh a=2 --shape "$shape" R
done
expect 2 "negative extent" --mesh a=2 --shape 7x-1 R
expect 2 "a shape of 9 dimensions" --mesh a=2 --shape 1x1x1x1x1x1x1x1x1 R
expect 2 'invalid dtype "f33"' --mesh a=2 --shape 3 R --dtype f33
expect 2 "rank 2 is out of range for a mesh of 2 ranks" --mesh a=2 --shape 3 R --rank 2
expect 2 "--rank takes a whole number from 0" --mesh a=2 --shape 3 R --rank=-1
expect 2 "--color takes auto, always or never" --mesh a=2 --shape 3 R --color=red
expect 2 "cannot be combined" --mesh a=2 --shape 3 R --json --svg -
expect 1 "No such file" --mesh a=2 --shape 3 R --svg /nowhere/picture.svg

# A picture replaces a link, and what arguments hold is not obeyed.
folder=$(mktemp -d)
echo kept >"$folder/target"
ln -s target "$folder/picture.svg"
run_subcommand --mesh a=2 --shape 3 R --svg "$folder/picture.svg"
[ "$(cat "$folder/target")" = kept ] || complain "--svg follows a link"
[ ! -L "$folder/picture.svg" ] || complain "--svg leaves a link"
rm -r "$folder"
expect 2 'unexpected argument "\x1b[31m"' --mesh a=2 --shape 3 R "$(printf '\033[31m')"
expect 2 '\x1b' --mesh "$(printf 'a=\0332')" --shape 3 R
expect 0 "f32[7, 10] R" --mesh a=2 --shape 7,10 R
expect 0 "f32[7, 10] R" --mesh a=2 --shape "(7, 10)" R
expect 0 "f32[7] R" --mesh a=2 --shape "(7,)" R
expect 0 "f32[] R" --mesh a=2 --shape scalar R

if command -v python3 >/dev/null; then
    python3 tests/cli/show.py "$dtensor" || complain "show.py failed"
fi

finish
