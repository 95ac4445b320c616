/* fuzz/rule.c - texts that may be sharding rules. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "op/rule/rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static const char *const schemas[] = {
    "one(Tensor self, Dims dims) -> Tensor",
    "two(Tensor self, Tensor other, Dim dim, bool keep) -> Tensor",
    "list(Tensor self, Tensor[] more) -> (Tensor a, Tensor b)",
    "norm(Tensor self, Shape last, Tensor? bias) -> (Tensor a, Tensor b)",
};

static void check_items(const dti_rule_item *items, int count)
{
    require(count > 0 && count <= DT_MAX_FACTOR_MAPS);
    for (int i = 0; i < count; i++) {
        require(items[i].count >= 0 && items[i].count <= DT_MAX_NDIM);
        require(items[i].ellipsis >= -1 && items[i].ellipsis <= items[i].count);
        for (int d = 0; d < items[i].count; d++)
            require(items[i].dims[d].count > 0 &&
                    items[i].dims[d].count <= DT_MAX_NDIM);
    }
}

static void check_mark(const dti_mark *mark, const dti_schema *schema)
{
    require(mark->number >= 0 && mark->number < DTI_LETTERS);
    require(mark->target != DTI_TARGET_DIMS || mark->number < schema->count);
    require(mark->target != DTI_TARGET_TENSOR ||
            mark->number < schema->tensor_count);
    require(mark->target != DTI_TARGET_RESULT ||
            mark->number < schema->result_count);
    require(mark->condition.parameter >= 0 &&
            mark->condition.parameter < schema->count);
    require(mark->calls >= 0 && mark->calls <= 9);
}

/* What can be read is within its limits; a failure leaves a sentence. */
static void read_with(const dti_schema *schema, const char *text)
{
    dti_rule rule;
    dti_passes passes;
    dt_error error = {DT_OK, ""};
    dt_op op = {.linear = text, .monotone = text, .permutes = text};
    if (dti_rule_parse(text, schema, &rule, &error) == DT_OK) {
        check_items(rule.in, rule.in_count);
        check_items(rule.out, rule.out_count);
        require(rule.mark_count <= DTI_MAX_MARKS);
        for (int i = 0; i < rule.mark_count; i++)
            check_mark(&rule.marks[i], schema);
        for (int i = 0; i < DTI_LETTERS; i++)
            require(rule.at[i] >= -1 && rule.at[i] < schema->count);
    } else {
        require(error.message[0]);
    }
    error.message[0] = '\0';
    if (dti_passes_parse(&op, schema, &passes, &error) != DT_OK)
        require(error.message[0]);
    else
        require(passes.term_count <= DTI_MAX_TERMS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        dti_schema schema;
        dt_error error;
        require(dti_schema_parse(schemas[i], &schema, &error) == DT_OK);
        read_with(&schema, text);
    }
    free(text);
    return 0;
}
