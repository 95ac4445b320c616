# tests/cli/timeline.py - look into the file that test_ranks_trace_timeline saves.
# SPDX-License-Identifier: Apache-2.0
import json
import sys
from fractions import Fraction

path, ranks = sys.argv[1], int(sys.argv[2])
with open(path) as file:
    events = json.load(file, parse_float=Fraction)["traceEvents"]

rounds = 3
outer = 'outer "quoted"'


def check(condition, what):
    if not condition:
        sys.exit(f"timeline.py: {path}: {what}")


def named(events, name):
    return [e for e in events if e["name"] == name]


def check_nesting(events):
    """In order of their beginnings, each lies inside what is open or behind it."""
    stack = []
    latest = 0
    for event in events:
        begin, end = event["ts"], event["ts"] + event["dur"]
        check(begin >= latest, f"{event} begins before the one in front of it")
        latest = begin
        while stack and stack[-1][1] <= begin:
            stack.pop()
        check(not stack or end <= stack[-1][1], f"{event} overlaps {stack and stack[-1]}")
        event["inside"] = [name for name, _ in stack]
        stack.append((event["name"], end))


def check_rank(events):
    whole = [e for e in events if e["ph"] == "X"]
    check_nesting(whole)
    counts = {name: len(named(whole, name)) for name in
              (outer, "inner", "all-reduce", "broadcast", "barrier")}
    check(set(counts.values()) == {rounds}, f"there are {counts}")
    for event in named(whole, "inner") + named(whole, "all-reduce"):
        check(event["inside"] == [outer], f"{event} is not inside {outer}")
    for event in named(whole, "broadcast"):
        check(event["inside"] == [outer, "inner"], f"{event} is not inside inner")
        check(event["args"]["operator"] == "inner", f"{event} is not of inner")
    for event in named(whole, "barrier"):
        check(event["inside"] == [], f"{event} is inside something")
    reduce = named(whole, "all-reduce")[0]["args"]
    bytes = 2 * 4 * (12 - 12 // ranks)
    check(reduce["sent"] == reduce["received"] == bytes, f"{reduce}, not {bytes}")
    check(reduce["ranks"] == ranks and reduce["reduce"] == "sum", f"{reduce}")
    begins = {e["id"]: e for e in events if e["ph"] == "b"}
    ends = {e["id"]: e for e in events if e["ph"] == "e"}
    check(len(begins) == rounds and begins.keys() == ends.keys(),
          "asynchronous calls have no two ends")
    for key, event in begins.items():
        check(ends[key]["ts"] >= event["ts"], f"{event} ends before it begins")


check(len(named(events, "process_name")) == 1, "there is not one process")
threads = {e["tid"]: e["args"]["name"] for e in named(events, "thread_name")}
check(threads == {i: f"rank {i}" for i in range(ranks)}, f"threads are {threads}")
for rank in range(ranks):
    check_rank([e for e in events if e.get("tid") == rank and e["ph"] != "M"])
check(all(e["pid"] == 0 for e in events), "there is more than one process")
