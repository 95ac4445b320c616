/* nn/parallel/parallelize.c - plans: which styles for which modules. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "base/text/pattern.h"
#include "base/text/writer.h"
#include "nn/create.h"
#include "nn/parallel/parallel.h"
#include "tensor/tensor.h"

/* One rule of a plan, and the modules that it is applied to. */
typedef struct pass {
    const dt_distribution *at;
    const dt_parallel_rule *rule;
    const dt_module *above; /* that the plan is for */
    bool applies;           /* or else checks */
    int matched;
} pass;

static dt_status try_module(dt_module *module, void *arg)
{
    pass *self = arg;
    const char *name;
    DTI_TRY(dti_module_name_below(module, self->above, &name));
    if (!dti_pattern_matches(self->rule->pattern, name))
        return DT_OK;
    self->matched++;
    return self->applies ? dti_style_apply(self->at, module, self->rule)
                         : dti_style_check(self->at, module, self->rule);
}

static dt_status run_rule(const dt_distribution *at, dt_module *module,
                          const dt_parallel_rule *rule, bool applies,
                          int *matched)
{
    pass self = {at, rule, module, applies, 0};
    const dt_status status = dti_module_each(module, try_module, &self);
    *matched = self.matched;
    return status;
}

/* Check all rules before anything is changed, and name all patterns without a
 * module at once. */
static dt_status check_rules(const dt_distribution *at, dt_module *module,
                             const dt_parallel_rule *rules, int count)
{
    char missing[512] = "";
    dti_writer to = {missing, sizeof missing, 0};
    for (int i = 0; i < count; i++) {
        int matched = 0;
        if (!rules[i].pattern || !rules[i].style)
            return dti_fail(module->world, DT_ERR_INVALID,
                            "dt_parallelize: rule %d has no %s", i,
                            rules[i].pattern ? "style" : "pattern");
        DTI_TRY(run_rule(at, module, &rules[i], false, &matched));
        if (!matched)
            dti_put(&to, "%s\"%s\"", to.length ? ", " : "", rules[i].pattern);
    }
    if (!to.length)
        return DT_OK;
    return dti_fail(module->world, DT_ERR_NOT_FOUND,
                    "dt_parallelize: no module of %s matches %s",
                    dti_module_show(module), missing);
}

static dt_status find_dim(dt_mesh *mesh, const char *name, int *out)
{
    *out = dt_mesh_find_dim(mesh, name ? name : "tp");
    if (*out < 0 && !name)
        *out = dt_mesh_ndim(mesh) - 1;
    if (*out >= 0)
        return DT_OK;
    return dti_fail(dt_mesh_world(mesh), DT_ERR_NOT_FOUND,
                    "dt_parallelize: the mesh has no dimension \"%s\"", name);
}

static dt_status apply_rules(const dt_distribution *at, dt_module *module,
                             const dt_parallel_rule *rules, int count)
{
    int matched;
    if (module->broken)
        return dti_fail(module->world, DT_ERR_INVALID,
                        "dt_parallelize: %s is incomplete: a part of it could "
                        "not be added",
                        dti_module_show(module));
    DTI_TRY(check_rules(at, module, rules, count));
    for (int i = 0; i < count; i++)
        DTI_TRY(run_rule(at, module, &rules[i], true, &matched));
    return dti_module_replicate(at, module);
}

dt_status dt_parallelize(dt_module *module, dt_mesh *mesh,
                         const dt_parallel_rule *rules, int count,
                         const dt_parallelize_options *options)
{
    DTI_ENTRY();
    dt_parallelize_options usual = DT_PARALLELIZE_OPTIONS_INIT;
    DTI_TRY(dti_given(module, __func__, "module"));
    DTI_TRY(dti_given(mesh, __func__, "mesh"));
    dt_world *world = module->world;
    options = dti_options_read(world, options, &usual, sizeof usual,
                               "DT_PARALLELIZE_OPTIONS_INIT");
    if (!options)
        return DT_ERR_INVALID;
    dt_distribution at = {
        .mesh = mesh,
        .weights = options->weights,
        .source = options->source,
        .seed = dti_seed_of(world, options->seed),
    };
    DTI_TRY(find_dim(mesh, options->dim, &at.dim));
    /* Other ranks wait if only this one lacks memory. */
    return dti_collective_begin(mesh, apply_rules(&at, module, rules, count));
}
