/* nn/parallel/rules.c - plans of the models. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/parallel.h>

#define COUNT(rules) ((int)(sizeof(rules) / sizeof *(rules)))

/* The input of attention is prepared once for queries, keys and values, so that
 * their gradients are reduced once.
 *
 * Sequence parallel: the stream between blocks is sharded by time; it is
 * gathered before each half of a block, and reduced and scattered after.
 */
static const dt_parallel_rule gpt[] = {
    {.pattern = "wte", .style = &dt_rowwise},
    {.pattern = "layers.*.attn", .style = &dt_prepare_input, .inputs = "R"},
    {.pattern = "layers.*.attn.w[qkv]", .style = &dt_colwise},
    {.pattern = "layers.*.attn.wo", .style = &dt_rowwise},
    {.pattern = "layers.*.mlp.fc", .style = &dt_colwise},
    {.pattern = "layers.*.mlp.proj", .style = &dt_rowwise},
    {.pattern = "lm_head", .style = &dt_colwise},
};

static const dt_parallel_rule gpt_sequence[] = {
    {.pattern = "wte", .style = &dt_rowwise, .outputs = "S(1)"},
    {.pattern = "layers.*.ln_?", .style = &dt_sequence_parallel},
    {.pattern = "layers.*.attn", .style = &dt_prepare_input, .inputs = "R"},
    {.pattern = "layers.*.attn.w[qkv]", .style = &dt_colwise},
    {.pattern = "layers.*.attn.wo", .style = &dt_rowwise, .outputs = "S(1)"},
    {.pattern = "layers.*.mlp.fc", .style = &dt_colwise},
    {.pattern = "layers.*.mlp.proj", .style = &dt_rowwise, .outputs = "S(1)"},
    {.pattern = "ln_f", .style = &dt_sequence_parallel},
    {.pattern = "lm_head", .style = &dt_colwise},
};

static const dt_parallel_rule llama[] = {
    {.pattern = "model.embed_tokens", .style = &dt_rowwise},
    {.pattern = "model.layers.*.self_attn",
     .style = &dt_prepare_input,
     .inputs = "R"},
    {.pattern = "model.layers.*.mlp",
     .style = &dt_prepare_input,
     .inputs = "R"},
    {.pattern = "model.layers.*.self_attn.[qkv]_proj", .style = &dt_colwise},
    {.pattern = "model.layers.*.self_attn.o_proj", .style = &dt_rowwise},
    {.pattern = "model.layers.*.mlp.gate_proj", .style = &dt_colwise},
    {.pattern = "model.layers.*.mlp.up_proj", .style = &dt_colwise},
    {.pattern = "model.layers.*.mlp.down_proj", .style = &dt_rowwise},
    {.pattern = "lm_head", .style = &dt_colwise},
};

static const dt_parallel_rule llama_sequence[] = {
    {.pattern = "model.embed_tokens", .style = &dt_rowwise, .outputs = "S(1)"},
    {.pattern = "model.layers.*.*layernorm", .style = &dt_sequence_parallel},
    {.pattern = "model.layers.*.self_attn",
     .style = &dt_prepare_input,
     .inputs = "R"},
    {.pattern = "model.layers.*.self_attn.[qkv]_proj", .style = &dt_colwise},
    {.pattern = "model.layers.*.self_attn.o_proj",
     .style = &dt_rowwise,
     .outputs = "S(1)"},
    {.pattern = "model.layers.*.mlp",
     .style = &dt_prepare_input,
     .inputs = "R"},
    {.pattern = "model.layers.*.mlp.gate_proj", .style = &dt_colwise},
    {.pattern = "model.layers.*.mlp.up_proj", .style = &dt_colwise},
    {.pattern = "model.layers.*.mlp.down_proj",
     .style = &dt_rowwise,
     .outputs = "S(1)"},
    {.pattern = "model.norm", .style = &dt_sequence_parallel},
    {.pattern = "lm_head", .style = &dt_colwise},
};

const dt_parallel_rule *dt_gpt_rules(bool sequence, int *count)
{
    *count = sequence ? COUNT(gpt_sequence) : COUNT(gpt);
    return sequence ? gpt_sequence : gpt;
}

const dt_parallel_rule *dt_llama_rules(bool sequence, int *count)
{
    *count = sequence ? COUNT(llama_sequence) : COUNT(llama);
    return sequence ? llama_sequence : llama;
}
