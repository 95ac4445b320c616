/* trace/report.h - what a dry run tells the command that started it. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TRACE_REPORT_H
#define DTI_TRACE_REPORT_H

#include <dtensor/trace.h>

/*
 * Write what this rank did to a descriptor, JSON objects of one line each:
 *
 *   {"dry_run": 1, "ranks": 8, "rank": 0, "peak": 4096, "complete": true}
 *   {"operator": "matmul", "calls": 2, "flops": 1e9, "bytes": 1e6}
 *   {"operator": "matmul", "kind": "all-reduce", "ranks": 4, "calls": 2,
 *    "peers": 6, "sent": 24, "received": 24}
 *
 * The first begins a world; operators are in the order of their first calls,
 * null is outside of them; the third stands for calls of a kind among so many
 * ranks, with the peers and bytes of all of them.  `complete` is false if
 * memory was short to keep all.
 */
void dti_report_write(dt_world *world, int descriptor);

/*
 * The same while the world is open, with `"asked": true` in the first line: the
 * program asked for elements, which are not there, and may end by that.  The
 * next report takes its place, where the descriptor is one of a file.
 */
void dti_report_write_early(dt_world *world, int descriptor);

#endif
