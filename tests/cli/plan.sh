#!/bin/sh
# tests/cli/plan.sh - what `dtensor plan` prints.
#
# usage: plan.sh DTENSOR      (in the top folder of the tree)
set -eu
dtensor=$1
subcommand=plan
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

# Plans, and what PyTorch would do.
expect_golden permute --mesh dp=2,tp=4 --shape 8192x8192 --dtype f32 "S(0)S(1)" "S(1)S(0)"
expect_golden bytes --mesh dp=2,tp=4 --shape 8192x8192 "S(0)R" "RS(1)" --objective bytes
expect_golden partial --mesh dp=2,tp=4 --shape 4096x1000 --dtype bf16 "P(sum)S(0)" "S(1)R" --transport mpi
expect_golden uneven --mesh dp=3,tp=2 --shape 7x10 "S(0)S(1)" "RS(0)" --objective=bytes
expect_golden cap --mesh dp=2,tp=4 --shape 8192x8192 "S(0)S(0)" "S(1)S(1)" --memory-cap 64MiB \
    --objective bytes
expect_golden order --mesh dp=2,tp=4 --shape 8192x8192 "S(0)[1]S(0)[0]" "S(0)S(0)" --objective bytes
expect_golden strided --mesh dp=2,tp=4 --shape 64x8 --dtype i64 "_S(0,4)S(0)" "RR" --objective bytes
expect_golden across --mesh dp=2,tp=4 --to-mesh x=6 --shape 8192x8192 "S(0)R" "S(1)"
expect_golden slice --mesh dp=2,tp=4 --shape 8192x8192 "RR" "S(1)R"
expect_golden nothing --mesh dp=2,tp=1 --shape 8192x8192 "S(0)R" "S(0)S(1)"
expect_golden many --mesh dp=2500,pp=5,tp=8 --shape 100000x100000 "S(0)RS(1)" "S(1)S(0)R" \
    --objective bytes

# planned ARGUMENT...: there is a plan.
planned() {
    run_subcommand "$@" >/dev/null || complain "dtensor plan $*: exit $?"
}

# Ranks, however many.
set -- --mesh dp=2500,pp=5,tp=8 --shape 100000x100000
planned "$@" "S(0)S(1)R" "RS(0)S(1)"
planned "$@" "S(0)S(0)S(0)" "S(1)RS(0)"
planned "$@" "P(sum)S(0)R" "S(0)RS(1)"
planned "$@" "_S(0,8)S(1)S(0)" "RRR"
planned "$@" "S(0)RS(1)" "S(1)" --to-mesh x=90000

# JSON: one object, whose sums are those of its steps.
if command -v python3 >/dev/null; then
    check='
import json, sys
plan = json.load(sys.stdin)
assert plan["shape"] == [8192, 8192] and plan["dtype"] == "f32", plan
assert plan["mesh"] == "dp=2,tp=4" and plan["from"] == sys.argv[1] and plan["to"] == sys.argv[2]
assert plan["objective"] == "time" and plan["transport"] == "shm"
for one in [plan] + [plan["pytorch"]] * ("steps" in plan["pytorch"]):
    assert sum(step["bytes"] for step in one["steps"]) == one["bytes"]
    assert abs(sum(step["seconds"] for step in one["steps"]) - one["seconds"]) < 1e-9
    assert one["steps"][0]["from"] == plan["from"] and one["steps"][-1]["to"] == plan["to"]
    for before, after in zip(one["steps"], one["steps"][1:]):
        assert before["to"] == after["from"]
    assert all(step["ranks"] >= 1 and step["messages"] >= 0 for step in one["steps"])
assert plan["bytes"] >= plan["lower_bound"] and plan["ratio"] >= 1
assert plan["pytorch"].get("seconds", 1e9) >= plan["seconds"]
assert ("none" in plan["pytorch"]) == ("[1]S" in plan["from"]), plan["pytorch"]
'
    for layouts in "S(0)S(1) S(1)S(0)" "S(0)R RS(1)" "P(sum)S(0) S(1)R" "S(0)[1]S(0)[0] RR"; do
        from=${layouts% *}
        to=${layouts#* }
        json=$(run_subcommand --mesh dp=2,tp=4 --shape 8192x8192 "$from" "$to" --json)
        [ "$(printf '%s\n' "$json" | wc -l)" -eq 1 ] || complain "lines: $json"
        printf '%s\n' "$json" | python3 -c "$check" "$from" "$to" || complain "JSON: $json"
    done
    run_subcommand --mesh dp=2,tp=4 --to-mesh x=6 --shape 64x64 "S(0)R" "S(1)" --json --memory-cap 1Gi |
        python3 -c '
import json, sys
plan = json.load(sys.stdin)
assert plan["to_mesh"] == "x=6" and plan["memory_cap"] == 1 << 30
assert "between meshes" in plan["pytorch"]["none"]
' || complain "JSON of two meshes"
fi

# Wrong calls: the library's sentence where it has one.
expect 2 "a mesh is required" --shape 3 R R
expect 2 "a shape is required" --mesh a=2 R R
expect 2 "two layouts are required" --mesh a=2 --shape 3 R
expect 2 'unexpected argument "S"' --mesh a=2 --shape 3 R R S
expect 2 "did you mean --to-mesh?" --mesh a=2 --to-mash b=2 --shape 3 R R
expect 2 'each dimension of the mesh "a=2,b" needs a size' --mesh a=2,b --shape 3 RR RR
expect 2 'each dimension of the mesh "b" needs a size' --mesh a=2 --to-mesh b --shape 3 R R
expect 2 'the size of "a" must be at least 1' --mesh a=0 --shape 3 R R
expect 2 "has more than 67108864 ranks" --mesh a=2 --to-mesh a=99999999 --shape 3 R R
expect 2 'before "X"' --mesh a=2 --shape 3 R X
expect 2 'for example "S(0)R"' --mesh a=2 --shape 3 R S0
expect 2 "dimension 1 of a tensor that has 1" --mesh a=2 --shape 3 "S(1)" R
expect 2 '"7xy" is not a shape' --mesh a=2 --shape 7xy R R
expect 2 "negative extent" --mesh a=2 --shape 7x-1 R R
expect 2 'invalid dtype "f33"' --mesh a=2 --shape 3 R R --dtype f33
expect 2 "--objective takes time or bytes" --mesh a=2 --shape 3 R R --objective speed
expect 2 "--transport takes shm, mpi or threads" --mesh a=2 --shape 3 R R --transport smoke
for cap in 0 64Q -1 many Mi 99999999999999999999 99999999999G; do
    expect 2 "--memory-cap takes bytes" --mesh a=2 --shape 3 R R --memory-cap="$cap"
done
expect 2 "bytes times 1024 ranks exceed 2^60" --mesh x=1024 --dtype u8 \
    --shape 1x18014398509481984 "P(sum)" "S(0)"
expect 2 "only operators create masked partial tensors" --mesh a=2 --shape 4 R "MaskP(sum)"
expect 0 "PyTorch has no default plan for it: the greedy planner does not support orders" \
    --mesh a=2,b=2 --shape 8 "S(0)[1]S(0)[0]" RR

finish
