/* examples/demo/write.c - text from a GPT, a character at a time. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "demo.h"

enum { CONTEXT_MAX = 4096 };

static const char beginning[] = "Shall I compare thee";

/* The last tokens, as many as the model takes; replicated. */
static dt_tensor *last_tokens(trainer *t, const int64_t *tokens, int64_t count)
{
    const int64_t length =
        count < t->asked->context ? count : t->asked->context;
    dt_array *array = NULL;
    if (dt_array_create(t->world, DT_I64, DT_SHAPE(1, length), &array) != DT_OK)
        return NULL;
    memcpy(dt_array_data(array), tokens + count - length,
           (size_t)length * sizeof *tokens);
    dt_tensor *made = dt_distribute(t->mesh, NULL, DT_I64, DT_SHAPE(1, length),
                                    array, DT_EVERYWHERE);
    dt_array_release(array);
    return made;
}

/* Draw the next token: the same on every rank, and on every mesh. */
static dt_status next_token(trainer *t, const int64_t *tokens, int64_t count,
                            int64_t *out)
{
    dt_number value = dt_integer(0);
    dt_tensor *logits = predict(t, last_tokens(t, tokens, count));
    dt_tensor *last = dt_select(dt_select(logits, 0, 0), 0, -1);
    dt_tensor *chances = dt_softmax(dt_div_scalar(last, dt_real(0.8)), -1);
    DT_TRY(dt_tensor_item(dt_multinomial(chances, 1, false), &value));
    *out = (int64_t)dt_number_real(value);
    return DT_OK;
}

static dt_status next_in_scope(trainer *t, const int64_t *tokens, int64_t count,
                               int64_t *out)
{
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.gradients = DT_TRISTATE_OFF;
    dt_scope *scope = dt_scope_open_with(t->world, &options);
    const dt_status status = next_token(t, tokens, count, out);
    const dt_status closed = dt_scope_close(scope);
    return status != DT_OK ? status : closed;
}

dt_status write_text(trainer *t, int64_t count)
{
    int64_t tokens[CONTEXT_MAX + sizeof beginning];
    int64_t length = 0;
    for (const char *at = beginning; *at; at++)
        tokens[length++] = *at;
    if (count > CONTEXT_MAX)
        count = CONTEXT_MAX;
    dt_module_train(t->model, false);
    DT_TRY(dt_seed(t->world, 1));
    if (t->talks)
        printf("\n%s", beginning);
    for (int64_t i = 0; i < count; i++) {
        DT_TRY(next_in_scope(t, tokens, length, &tokens[length]));
        if (t->talks) {
            putchar((int)tokens[length]);
            fflush(stdout);
        }
        length++;
    }
    if (t->talks)
        printf("\n\n");
    return DT_OK;
}
