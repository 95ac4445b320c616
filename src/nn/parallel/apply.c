/* nn/parallel/apply.c - applying a style to a module, and its part in calls. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <dtensor/redistribute.h>
#include <dtensor/spec.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "nn/create.h"
#include "nn/parallel/parallel.h"
#include "tensor/tensor.h"

/* ---- Lists of layouts --------------------------------------------------- */

/* Longest text of one layout in a list. */
enum { LAYOUT_SIZE = 128 };

/* Copy the next layout of a list, which goes on at `list`; false at the end. */
static bool next_layout(const char **list, char *out)
{
    if (!*list || !**list)
        return false;
    *list += strspn(*list, " ");
    const size_t length = strcspn(*list, ";");
    size_t used = length;
    while (used > 0 && (*list)[used - 1] == ' ')
        used--;
    if (used >= LAYOUT_SIZE)
        used = LAYOUT_SIZE - 1;
    memcpy(out, *list, used);
    out[used] = '\0';
    *list += length + ((*list)[length] == ';');
    return true;
}

static int count_layouts(const char *list)
{
    char layout[LAYOUT_SIZE];
    int count = 0;
    while (next_layout(&list, layout))
        count++;
    return count;
}

static bool is_kept(const char *layout)
{
    return strcmp(layout, "-") == 0;
}

/* ---- Tensors ------------------------------------------------------------ */

static bool is_local(const dt_tensor *tensor)
{
    return dt_mesh_equal(tensor->spec->mesh, dt_world_own_mesh(tensor->world));
}

/* The tensor on the mesh. */
static dt_tensor *bring(const dt_distribution *at, dt_tensor *tensor,
                        const char *from)
{
    const char *layout;
    if (dt_mesh_equal(tensor->spec->mesh, at->mesh))
        return tensor;
    if (!is_local(tensor)) {
        dti_fail(tensor->world, DT_ERR_INVALID,
                 "a tensor is on another mesh than the module: %s",
                 dti_spec_show(tensor->spec).text);
        return NULL;
    }
    if (dti_layout_along(at, from, NULL, &layout) != DT_OK)
        return NULL;
    return dt_from_local_tensor(at->mesh, layout, tensor, NULL);
}

dt_tensor *dt_redistribute_along(const dt_distribution *at, dt_tensor *tensor,
                                 const char *from, const char *layout)
{
    const char *whole;
    if (dti_given(tensor, __func__, "tensor") != DT_OK)
        return NULL;
    tensor = bring(at, tensor, from ? from : "R");
    if (!tensor || !layout)
        return tensor;
    if (dti_layout_along(at, layout, &tensor->spec->layout, &whole) != DT_OK)
        return NULL;
    return dt_redistribute(tensor, whole);
}

/*
 * A redistribution to the layout that a tensor has already changes nothing
 * forward, but reduces partial gradients backward: it marks where they are
 * reduced.  One is enough: if a module above has prepared the very tensor, as
 * attention does for queries, keys and values, the gradients of the modules
 * below are added there before they are reduced.
 */
static bool is_prepared(const dt_module *module, const dt_tensor *tensor)
{
    for (module = module->parent; module; module = module->parent) {
        const dti_running *call = module->running;
        for (int i = 0; call && i < call->input_count; i++)
            if (call->prepared[i] && call->inputs[i] == tensor)
                return true;
    }
    return false;
}

static bool has_layout(const dt_distribution *at, const dt_tensor *tensor,
                       const char *text)
{
    const dt_spec *spec = tensor->spec;
    const char *whole;
    dt_layout layout;
    return dt_mesh_equal(spec->mesh, at->mesh) &&
           dti_layout_along(at, text, &spec->layout, &whole) == DT_OK &&
           dt_layout_parse(tensor->world, whole, &layout) == DT_OK &&
           dt_layout_check(spec->mesh, spec->meta.shape.ndim, &layout) ==
               DT_OK &&
           dt_layout_equal(&layout, &spec->layout);
}

/* What is done with the inputs, or with the outputs. */
typedef struct change {
    const char *from, *to; /* lists; NULL: none */
    bool local;
    const char *what;
} change;

static dt_status check_count(const dt_style_use *use, const dt_module *module,
                             const change *by, int count)
{
    const int listed = count_layouts(by->to);
    if (!by->to || listed == count)
        return DT_OK;
    return dti_fail(module->world, DT_ERR_INVALID,
                    "style %s: the rule \"%s\" has layouts for %d %ss, but %s "
                    "has %d",
                    use->rule.style->name, use->rule.pattern, listed, by->what,
                    dti_module_show(module), count);
}

static dt_tensor *change_one(const dt_style_use *use, const dt_module *module,
                             dt_tensor *tensor, const char *from,
                             const char *to)
{
    if (!from && !to)
        return tensor;
    if (to && is_prepared(module, tensor) && has_layout(&use->at, tensor, to))
        return tensor;
    return dt_redistribute_along(&use->at, tensor, from ? from : to, to);
}

static dt_status change_tensors(const dt_style_use *use,
                                const dt_module *module, const change *by,
                                dt_tensor **tensors, int count)
{
    const char *from = by->from, *to = by->to;
    char source[LAYOUT_SIZE], target[LAYOUT_SIZE];
    DTI_TRY(check_count(use, module, by, count));
    for (int i = 0; i < count; i++) {
        const bool has_source = next_layout(&from, source);
        const bool has_target = next_layout(&to, target) && !is_kept(target);
        tensors[i] = change_one(use, module, tensors[i],
                                has_source && !is_kept(source) ? source : NULL,
                                has_target ? target : NULL);
        if (tensors[i] && by->local)
            tensors[i] = dt_to_local(tensors[i]);
        if (!tensors[i])
            return dti_failure_of(module->world);
    }
    return DT_OK;
}

dt_status dti_style_input(const dt_style_use *use, dt_module *module,
                          dt_tensor **inputs, int count)
{
    const dt_parallel_rule *rule = &use->rule;
    const change by = {rule->inputs_from,
                       rule->inputs ? rule->inputs : rule->style->inputs,
                       rule->local_inputs, "input"};
    DTI_TRY(change_tensors(use, module, &by, inputs, count));
    for (int i = 0; i < count && by.to; i++)
        module->running->prepared[i] = true;
    return DT_OK;
}

dt_status dti_style_output(const dt_style_use *use, dt_module *module,
                           dt_tensor **outputs, int count)
{
    const dt_parallel_rule *rule = &use->rule;
    const change by = {rule->outputs_from,
                       rule->outputs ? rule->outputs : rule->style->outputs,
                       rule->local_outputs, "output"};
    return change_tensors(use, module, &by, outputs, count);
}

/* ---- Uses --------------------------------------------------------------- */

/* A use with a style of this library's size: the program's may be older. */
typedef struct styled {
    dt_style_use use; /* first: functions are given its address */
    dt_style style;
} styled;

static dt_status read_style(dt_world *world, const dt_parallel_rule *rule,
                            dt_style *out)
{
    dt_style usual = {.size = sizeof usual};
    const dt_style *style = dti_options_read(
        world, rule->style, &usual, sizeof usual, ".size = sizeof(dt_style)");
    if (!style)
        return DT_ERR_INVALID;
    *out = *style;
    return DT_OK;
}

static void release_use(void *arg)
{
    dt_style_use *use = arg;
    const char *const texts[] = {use->rule.pattern, use->rule.inputs,
                                 use->rule.inputs_from, use->rule.outputs,
                                 use->rule.outputs_from};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free((void *)(uintptr_t)texts[i]);
    dt_mesh_release(use->at.mesh);
    free(use);
}

static bool copy_text(const char **text)
{
    char *copy = *text ? strdup(*text) : NULL;
    const bool copied = copy || !*text;
    *text = copy;
    return copied;
}

static dt_status create_use(const dt_distribution *at,
                            const dt_parallel_rule *rule, dt_style_use **out)
{
    dt_world *world = dt_mesh_world(at->mesh);
    dt_style style;
    DTI_TRY(read_style(world, rule, &style));
    styled *made = malloc(sizeof *made);
    if (!made)
        return dti_fail_memory(world, sizeof *made, "a style");
    *made = (styled){{*at, *rule}, style};
    dt_style_use *use = &made->use;
    use->at.mesh = dt_mesh_retain(at->mesh);
    dt_parallel_rule *own = &use->rule;
    own->style = &made->style;
    bool copied = copy_text(&own->pattern);
    copied &= copy_text(&own->inputs);
    copied &= copy_text(&own->inputs_from);
    copied &= copy_text(&own->outputs);
    copied &= copy_text(&own->outputs_from);
    if (copied) {
        *out = use;
        return DT_OK;
    }
    release_use(use);
    return dti_fail_memory(world, LAYOUT_SIZE, "a style");
}

static dt_status before(dt_module *module, dt_tensor **inputs, int count,
                        void *arg)
{
    const dt_style_use *use = arg;
    const dt_style *style = use->rule.style;
    return (style->input ? style->input : dti_style_input)(use, module, inputs,
                                                           count);
}

static dt_status after(dt_module *module, dt_tensor *const *inputs,
                       int input_count, dt_tensor **outputs, int output_count,
                       void *arg)
{
    const dt_style_use *use = arg;
    const dt_style *style = use->rule.style;
    (void)inputs;
    (void)input_count;
    return (style->output ? style->output : dti_style_output)(
        use, module, outputs, output_count);
}

static dt_status check_lists(const dt_module *module,
                             const dt_parallel_rule *rule, const char *what,
                             const char *from, const char *to)
{
    if (!from || !to || count_layouts(from) == count_layouts(to))
        return DT_OK;
    return dti_fail(module->world, DT_ERR_INVALID,
                    "style %s: the rule \"%s\" has %d layouts in %s_from but "
                    "%d in %s",
                    rule->style->name, rule->pattern, count_layouts(from), what,
                    count_layouts(to), what);
}

dt_status dti_style_check(const dt_distribution *at, dt_module *module,
                          const dt_parallel_rule *rule)
{
    dt_style style;
    dt_style_use use = {*at, *rule};
    DTI_TRY(read_style(module->world, rule, &style));
    use.rule.style = &style;
    DTI_TRY(
        check_lists(module, rule, "inputs", rule->inputs_from, rule->inputs));
    DTI_TRY(check_lists(module, rule, "outputs", rule->outputs_from,
                        rule->outputs));
    return style.check ? style.check(&use, module) : DT_OK;
}

dt_status dti_style_apply(const dt_distribution *at, dt_module *module,
                          const dt_parallel_rule *rule)
{
    dt_module_hook hook = DT_MODULE_HOOK_INIT;
    dt_style_use *use = NULL;
    DTI_TRY(create_use(at, rule, &use));
    dt_status status = DT_OK;
    if (use->rule.style->partition)
        status = use->rule.style->partition(use, module);
    hook.before = before;
    hook.after = after;
    hook.release = release_use;
    hook.arg = use;
    if (status == DT_OK)
        status = dt_module_add_hook(module, &hook, NULL);
    if (status != DT_OK)
        release_use(use);
    return status;
}
