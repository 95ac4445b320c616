#!/bin/sh
# tests/cli/bench.sh - the lists and the output of `dtensor bench`.
#
# usage: bench.sh DTENSOR
set -eu
dtensor=$1
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

suites=$("$dtensor" bench --list)
has "$suites" '^autograd  *.'
has "$suites" '^memory  *.'
has "$suites" '^collectives  *.'
has "$suites" '^layout  *.'
has "$suites" '^random  *.'
has "$suites" '^plan  *.'
has "$suites" '^redistribute  *.'
has "$suites" '^matmul  *.'
has "$suites" '^ops  *.'

cases=$("$dtensor" bench collectives --list)
has "$cases" '^all-reduce 64 MiB 2 ranks threads$'
has "$cases" '^all-reduce in place 4 B 4 ranks threads$'
has "$cases" '^all-gather 64 KiB 2 ranks threads$'
has "$cases" '^barrier 4 ranks threads$'
cases=$("$dtensor" bench collectives --list --ranks 3 --only "to-all 4 KiB")
[ "$cases" = "all-to-all 4 KiB 3 ranks threads" ] || complain "--only: $cases"
cases=$("$dtensor" bench collectives --list --transport shm)
has "$cases" '^all-reduce 64 MiB 2 ranks shm$'
has "$cases" '^kill -9 to error 4 ranks shm$'
cases=$("$dtensor" bench collectives --list --transport mpi)
has "$cases" '^all-reduce 4 KiB 2 ranks mpi$'

cases=$("$dtensor" bench matmul --list --only 2048)
has "$cases" '^matmul 2048 f32 1 rank$'
has "$cases" '^matmul 2048 f32 by columns 2 ranks threads$'

cases=$("$dtensor" bench random --list --only "f32 64 MiB")
has "$cases" '^normal f32 64 MiB$'
has "$cases" '^uniform f32 64 MiB$'

# Operators: families and sizes; without PyTorch, or where it cannot be found, ours alone.
cases=$("$dtensor" bench ops --list)
has "$cases" '^arithmetic: add 4 KiB$'
has "$cases" '^product: mm 64 MiB$'
[ "$(printf '%s\n' "$cases" | sort | uniq -d | wc -l)" -eq 0 ] || complain "a case twice"
table=$("$dtensor" bench ops --only "add 4 KiB" 2>/dev/null)
has "$table" '^arithmetic: add 4 KiB  *[0-9.]* [um]*s'

# Gradients: PyTorch is only asked where it is a reference.
cases=$("$dtensor" bench autograd --list)
has "$cases" '^forward and backward of 1000 calls 4x4 f32 1 rank$'
number='[0-9.e+-]*'
json=$("$dtensor" bench autograd --only "record" --json)
has "$json" "^{\"suite\": \"autograd\", \"case\": \"record mul and tanh 4x4 f32 1 rank\", \
\"ours\": $number, \"reference\": 0.15, \"reference_name\": \"limit\", \"unit\": \"us\", \
\"ratio\": $number}\$"

# One line, and exactly these keys, for a case with one reference.
json=$("$dtensor" bench memory --only "16 MB" --json)
[ "$(printf '%s\n' "$json" | wc -l)" -eq 1 ] || complain "lines: $json"
has "$json" "^{\"suite\": \"memory\", \"case\": \"copy 16 MB\", \"ours\": $number, \
\"reference\": $number, \"reference_name\": \"memcpy\", \"unit\": \"us\", \
\"ratio\": $number}\$"

# The table, without peers: what is left out is noted, ours is there.
table=$(PATH=/nowhere "$dtensor" bench collectives --ranks 2 --only "e 4 KiB" 2>&1)
has "$table" '^case  *ours  *reference'
has "$table" '^all-reduce 4 KiB 2 ranks threads  *[0-9.]* [um]*s'
has "$table" 'Open MPI is not installed'

# Ranks that are processes, against ranks that are threads; and one of them killed.
json=$(PATH=/nowhere "$dtensor" bench collectives --transport shm --only "barrier 2 ranks" \
    --json 2>/dev/null)
[ "$(printf '%s\n' "$json" | wc -l)" -eq 1 ] || complain "lines: $json"
has "$json" "^{\"suite\": \"collectives\", \"case\": \"barrier 2 ranks shm\", \
\"ours\": $number, \"reference\": $number, \"reference_name\": \"threads\", \"unit\": \"us\", \
\"ratio\": $number}\$"
json=$(PATH=/nowhere "$dtensor" bench collectives --transport shm --ranks 3 \
    --only "kill -9 to error 3" --json 2>/dev/null)
has "$json" "^{\"suite\": \"collectives\", \"case\": \"kill -9 to error 3 ranks shm\", \
\"ours\": $number, \"reference\": 1, \"reference_name\": \"limit\", \"unit\": \"s\", \
\"ratio\": $number}\$"

# Without Open MPI there is nothing to time over it.
status=0
said=$(PATH=/nowhere "$dtensor" bench collectives --transport mpi --only barrier 2>&1) || status=$?
[ "$status" -eq 1 ] || complain "mpi without Open MPI: exit $status, not 1"
has "$said" 'nothing to time without Open MPI'

# Plans: against limits; and bytes, of which the unit is no time.
json=$("$dtensor" bench plan --json)
has "$json" "^{\"suite\": \"plan\", \"case\": \"known plan\", \"ours\": $number, \
\"reference\": 0.1, \"reference_name\": \"limit\", \"unit\": \"us\", \"ratio\": $number}\$"
has "$json" "^{\"suite\": \"plan\", \"case\": \"bytes over the least 2x4x8 mesh\", \"ours\": 1, \
\"reference\": 6.0[0-9]*, \"reference_name\": \"PyTorch's default\", \"unit\": \"x\", \
\"ratio\": 6.0[0-9]*}\$"

# Tensors in another layout, beside the collective that it comes to.
cases=$("$dtensor" bench redistribute --list)
has "$cases" '^S(0) to S(1) 64 MiB 4 ranks threads$'
has "$cases" '^row blocks to column blocks 256 MiB 2 ranks threads$'
has "$cases" '^searched plans at worst 2x2 ranks threads$'
json=$("$dtensor" bench redistribute --only "P to S(1) 64 MiB 2" --json)
has "$json" "^{\"suite\": \"redistribute\", \"case\": \"P to S(1) 64 MiB 2 ranks threads\", \
\"ours\": $number, \"reference\": $number, \"reference_name\": \"reduce-scatter\", \
\"unit\": \"us\", \"ratio\": $number}\$"
json=$("$dtensor" bench redistribute --transport shm --only "S(0) to R 64 MiB 2" --json)
has "$json" "^{\"suite\": \"redistribute\", \"case\": \"S(0) to R 64 MiB 2 ranks shm\", \
\"ours\": $number, \"reference\": $number, \"reference_name\": \"all-gather\", \
\"unit\": \"us\", \"ratio\": $number}\$"
status=0
said=$("$dtensor" bench redistribute --transport mpi --only plans 2>&1) || status=$?
[ "$status" -eq 1 ] || complain "redistribute over mpi: exit $status, not 1"
has "$said" 'over threads and shm, not over "mpi"'

note=$("$dtensor" bench memory --only nonsense 2>&1)
has "$note" 'no case of memory contains "nonsense"'

status=0
said=$("$dtensor" bench collectives --transport smoke --only barrier 2>&1) || status=$?
[ "$status" -eq 1 ] || complain "an unknown transport: exit $status, not 1"
has "$said" 'no transport "smoke".*threads, shm and mpi'

finish
