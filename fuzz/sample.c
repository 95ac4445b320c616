/* fuzz/sample.c - texts that may be samples of operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "verify/sample.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

/* A parameter of each type. */
static const char *const schemas[] = {
    "few(Tensor a, Tensor? b, Dim c, *, bool d=true) -> Tensor",
    "many(Number a, int b, float c, Dims d, Shape e, Dtype f, Dtype? g, Text "
    "h, Generator? i, Tensor[] j) -> Tensor",
};

static void check_sample(const char *text, const dti_schema *schema,
                         const dti_sample *one)
{
    int64_t letters[DTI_SAMPLE_LETTERS];
    for (int i = 0; i < DTI_SAMPLE_LETTERS; i++)
        letters[i] = 2;
    require(one->text >= text && one->length > 0);
    require((size_t)one->length <= strlen(one->text));
    require(one->text[0] == '(' && one->text[one->length - 1] == ')');
    require(dti_sample_letters(one, schema) < 1u << DTI_SAMPLE_LETTERS);
    for (int i = 0; i < schema->count; i++) {
        require(one->given[i] || schema->parameters[i].option);
        require(one->values[i].count <= DTI_SAMPLE_LIST);
        dti_sample_size_of(&one->values[i].size, letters);
    }
}

static void check_text(const char *text, const char *schema_text)
{
    dti_schema schema;
    dti_sample one;
    dt_error error = {DT_OK, ""};
    dt_status status = DT_OK;
    const char *at = text;
    require(dti_schema_parse(schema_text, &schema, &error) == DT_OK);
    while (status == DT_OK &&
           dti_sample_next(&at, &schema, &one, &status, &error))
        if (status == DT_OK)
            check_sample(text, &schema, &one);
    require(status == DT_OK ||
            (status == DT_ERR_FORMAT && error.message[0] != '\0'));
}

/* What can be read is within its limits; a failure leaves a sentence. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++)
        check_text(text, schemas[i]);
    dti_sample_dtypes(text);
    free(text);
    return 0;
}
