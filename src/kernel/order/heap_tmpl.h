/* kernel/order/heap_tmpl.h - the first k of entries that are offered. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: E, an entry; LESS(a, b): a comes before b;
 * SINK, OFFER and DRAIN, names of the functions.  All are undefined afterwards.
 *
 * The first k so far are a heap whose root is the last of them; most entries
 * come behind it.
 */

/* Let the root sink to where it belongs. */
static void SINK(E *heap, int64_t count)
{
    const E sinking = heap[0];
    int64_t i = 0;
    for (int64_t child = 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && LESS(heap[child], heap[child + 1]))
            child++;
        if (!LESS(sinking, heap[child]))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = sinking;
}

static void OFFER(E *heap, int64_t *count, int64_t k, E offered)
{
    if (*count == k) {
        if (!LESS(offered, heap[0]))
            return;
        heap[0] = offered;
        SINK(heap, k);
        return;
    }
    int64_t i = (*count)++;
    for (; i > 0 && LESS(heap[(i - 1) / 2], offered); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = offered;
}

/* Take the heap apart: entries are left in order. */
static void DRAIN(E *heap, int64_t count)
{
    while (count > 1) {
        const E last = heap[0];
        count--;
        heap[0] = heap[count];
        SINK(heap, count);
        heap[count] = last;
    }
}

#undef E
#undef LESS
#undef SINK
#undef OFFER
#undef DRAIN
