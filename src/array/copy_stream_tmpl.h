/* array/copy_stream_tmpl.h - streaming stores of many lines, for one level. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Included by a file that defines stream_line, which copies a line past the
 * cache, and pages_at_once, and includes <immintrin.h>.
 */

enum { page_lines = 4096 / DTI_COPY_LINE };

/* Copy several pages in step: memory may answer faster when the requests go to
 * different rows of it. */
static void stream_pages(char *to, const char *from)
{
    for (int line = 0; line < page_lines; line += 4)
        for (int page = 0; page < pages_at_once; page++)
            for (int i = line; i < line + 4; i++) {
                int at = (page * page_lines + i) * DTI_COPY_LINE;
                stream_line(to + at, from + at);
            }
}

static void stream_lines(char *to, const char *from, size_t lines)
{
    const size_t together = (size_t)page_lines * pages_at_once;
    for (; lines >= together; lines -= together) {
        stream_pages(to, from);
        to += together * DTI_COPY_LINE;
        from += together * DTI_COPY_LINE;
    }
    for (; lines > 0; lines--) {
        stream_line(to, from);
        to += DTI_COPY_LINE;
        from += DTI_COPY_LINE;
    }
}

static void fence(void)
{
    _mm_sfence();
}
