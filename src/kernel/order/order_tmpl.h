/* kernel/order/order_tmpl.h - entries of keys and indexes, put in order. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: E, an entry; KEY(e), its key, and
 * LESS(a, b), which compares keys and then indexes: no two entries are equal;
 * LAST, an entry that comes behind all; BITS of a key; MERGE, SORT_FEW, COUNT,
 * DEAL, SORT and SELECT, names of the functions.  All are undefined afterwards.
 */

/* Merge two lists of the same length, side by side, from both ends: each end
 * needs as many steps as one list is long, and no check for its end. */
static void MERGE(const E *from, E *to, int64_t half)
{
    const E *a = from, *b = from + half;
    const E *a_end = from + half - 1, *b_end = from + 2 * half - 1;
    E *front = to, *back = to + 2 * half - 1;
    for (int64_t i = 0; i < half; i++) {
        const bool first = LESS(*b, *a);
        *front++ = first ? *b : *a;
        a += !first;
        b += first;
        const bool last = LESS(*b_end, *a_end);
        *back-- = last ? *a_end : *b_end;
        a_end -= last;
        b_end -= !last;
    }
}

/* Sort few entries by merging; both lists have room for DTI_ORDER_FEW. */
static void SORT_FEW(E *entries, E *scratch, int64_t count)
{
    int64_t length = 2;
    E *from = entries, *to = scratch;
    while (length < count)
        length *= 2;
    for (int64_t i = count; i < length; i++)
        entries[i] = LAST;
    for (int64_t i = 0; i < length; i += 2) {
        const E a = entries[i], b = entries[i + 1];
        const bool swap = LESS(b, a);
        entries[i] = swap ? b : a;
        entries[i + 1] = swap ? a : b;
    }
    for (int64_t half = 2; half < length; half *= 2) {
        for (int64_t i = 0; i < length; i += 2 * half)
            MERGE(from + i, to + i, half);
        E *other = from;
        from = to;
        to = other;
    }
    if (from != entries)
        memcpy(entries, from, (size_t)count * sizeof(E));
}

/* Count entries by a digit of their keys. */
static void COUNT(const E *entries, int64_t count, int shift, uint32_t mask,
                  int64_t *counts)
{
    memset(counts, 0, ((size_t)mask + 1) * sizeof *counts);
    for (int64_t i = 0; i < count; i++)
        counts[(uint32_t)(KEY(entries[i]) >> shift) & mask]++;
}

/* Deal entries to where their digits belong; false if all have the same, and
 * nothing was done. */
static bool DEAL(const E *from, E *to, int64_t count, int shift, uint32_t mask,
                 int64_t *counts)
{
    int64_t at = 0;
    COUNT(from, count, shift, mask, counts);
    if (counts[(uint32_t)(KEY(from[0]) >> shift) & mask] == count)
        return false;
    for (uint32_t i = 0; i <= mask; i++) {
        const int64_t here = counts[i];
        counts[i] = at;
        at += here;
    }
    for (int64_t i = 0; i < count; i++)
        to[counts[(uint32_t)(KEY(from[i]) >> shift) & mask]++] = from[i];
    return true;
}

/*
 * Sort entries that lie in the order of their indexes, and give where they are
 * then: in one of the two lists.  Few are merged; many are dealt out by one
 * digit of their keys after another, the last one first.
 */
static E *SORT(E *entries, E *scratch, int64_t count)
{
    int64_t counts[1 << WIDE_DIGIT];
    const int digit = count < DTI_ORDER_MANY ? DIGIT : WIDE_DIGIT;
    E *from = entries, *to = scratch;
    if (count <= DTI_ORDER_FEW) {
        SORT_FEW(entries, scratch, count);
        return entries;
    }
    for (int shift = 0; shift < BITS; shift += digit) {
        const int bits = BITS - shift < digit ? BITS - shift : digit;
        if (!DEAL(from, to, count, shift, (1u << bits) - 1, counts))
            continue;
        E *other = from;
        from = to;
        to = other;
    }
    return from;
}

/*
 * Find entry number `k` of those that would be sorted.  Digit by digit, the
 * first one first, those that share it are kept; they stay in the order of
 * their indexes.
 */
static E SELECT(E *entries, E *scratch, int64_t count, int64_t k)
{
    int64_t counts[1 << WIDE_DIGIT];
    int shift = BITS;
    while (shift > 0 && count > DTI_ORDER_FEW) {
        const int bits = shift < WIDE_DIGIT ? shift : WIDE_DIGIT;
        const uint32_t mask = (1u << bits) - 1;
        uint32_t found = 0;
        int64_t kept = 0;
        shift -= bits;
        COUNT(entries, count, shift, mask, counts);
        for (; k >= counts[found]; found++)
            k -= counts[found];
        for (int64_t i = 0; i < count; i++) {
            const E e = entries[i];
            entries[kept] = e;
            kept += ((uint32_t)(KEY(e) >> shift) & mask) == found;
        }
        count = kept;
    }
    if (shift > 0)
        SORT_FEW(entries, scratch, count);
    return entries[k];
}

#undef E
#undef KEY
#undef LESS
#undef LAST
#undef BITS
#undef MERGE
#undef SORT_FEW
#undef COUNT
#undef DEAL
#undef SORT
#undef SELECT
