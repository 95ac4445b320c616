/* fuzz/schema.c - texts that may be schemas of operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "op/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check_parameter(const dti_schema *schema, int index)
{
    const dti_parameter *parameter = &schema->parameters[index];
    size_t length = strnlen(parameter->name, DTI_NAME_SIZE);
    require(length > 0 && length < DTI_NAME_SIZE);
    require((int)parameter->type >= 0 && parameter->type < DTI_TYPE_COUNT);
    require(dti_schema_find(schema, parameter->name, length) == index);
    require(parameter->option == (parameter->text[0] != '\0'));
    if (parameter->usual.kind != DT_ARG_NONE)
        require(parameter->usual.kind == dti_types[parameter->type].kind);
    if (parameter->usual.kind == DT_ARG_TEXT)
        require(parameter->usual.as.text == parameter->text);
}

/* What can be read is within its limits; a failure leaves a sentence. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dti_schema schema;
    dt_error error = {DT_OK, ""};
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    dt_status status = dti_schema_parse(text, &schema, &error);
    free(text);
    if (status != DT_OK) {
        require(status == DT_ERR_FORMAT && error.message[0]);
        return 0;
    }
    require(schema.count >= 0 && schema.count <= DTI_MAX_ARGUMENTS);
    require(schema.tensor_count <= schema.count);
    for (int i = 0; i < schema.count; i++)
        check_parameter(&schema, i);
    require(schema.result_count <= DTI_MAX_RESULTS);
    const bool counted =
        schema.results == DTI_RESULT_ONE || schema.results == DTI_RESULTS_NAMED;
    require(counted == (schema.result_count > 0));
    return 0;
}
