/* fuzz/equation.c - texts that may be equations of einsum. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "op/rule/equation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 9 };

/* Fail in a way that every fuzzer notices. */
static void require(int condition)
{
    if (!condition)
        abort();
}

/* Letters are letters, and in a result none stands twice. */
static void check_letters(const dti_letters *letters, int once)
{
    require(letters->count >= 0 && letters->count <= DT_MAX_NDIM);
    for (int i = 0; i < letters->count; i++) {
        char c = letters->letters[i];
        require((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
        require(!once || dti_letters_find(letters, c) == i);
    }
}

static void check_result(const dti_letters *result, const dti_letters *operands,
                         int count)
{
    check_letters(result, 1);
    for (int i = 0; i < result->count; i++) {
        int found = 0;
        for (int k = 0; k < count; k++)
            found |= dti_letters_find(&operands[k], result->letters[i]) >= 0;
        require(found);
    }
}

/* What was read, written without "...", reads the same. */
static void check_again(const dti_letters *operands, const dti_letters *result,
                        const int *ndims, int count)
{
    char text[(MOST + 1) * (DT_MAX_NDIM + 2) + 1], *end = text;
    dti_letters again[MOST], result_again;
    dt_error error;
    for (int i = 0; i < count; i++) {
        if (i > 0)
            *end++ = ',';
        memcpy(end, operands[i].letters, (size_t)operands[i].count);
        end += operands[i].count;
    }
    memcpy(end, "->", 2);
    memcpy(end + 2, result->letters, (size_t)result->count);
    end[2 + result->count] = '\0';
    require(dti_equation_parse(text, ndims, count, again, &result_again,
                               &error) == DT_OK);
    require(result_again.count == result->count &&
            memcmp(result_again.letters, result->letters,
                   (size_t)result->count) == 0);
    for (int i = 0; i < count; i++)
        require(memcmp(again[i].letters, operands[i].letters,
                       (size_t)operands[i].count) == 0);
}

static void read_text(const char *text, const int *ndims, int count)
{
    dti_letters operands[MOST], result, before;
    dt_error error = {0};
    memset(&before, 0x5a, sizeof before);
    result = before;
    dt_status status =
        dti_equation_parse(text, ndims, count, operands, &result, &error);
    if (status != DT_OK) {
        require(error.message[0] && error.code == status);
        require(memcmp(&result, &before, sizeof before) == 0);
        return;
    }
    for (int i = 0; i < count; i++) {
        require(operands[i].count == ndims[i]);
        check_letters(&operands[i], 0);
    }
    check_result(&result, operands, count);
    check_again(operands, &result, ndims, count);
}

/* Digits are numbers of dimensions; the equation follows. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int ndims[MOST] = {0}, count = 0;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    while (count < MOST && text[count] >= '0' && text[count] <= '8') {
        ndims[count] = text[count] - '0';
        count++;
    }
    read_text(text + count, ndims, count > 0 ? count : 1);
    free(text);
    return 0;
}
