/* tests/headers/macros.c - every public macro, used in C11 and in C++11. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <dtensor/dtensor.h>
#include <dtensor/sys/op.h>
#include <dtensor/sys/pass.h>
#include <dtensor/sys/plugin.h>
#include <dtensor/sys/verify.h>

static int failed;

#define EXPECT(condition)                                                      \
    do {                                                                       \
        if (!(condition)) {                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);    \
            failed++;                                                          \
        }                                                                      \
    } while (0)

DT_EXTERN_C_BEGIN
DT_API int dt_test_exported(void);
int dt_test_format(char *text, size_t size, const char *format, ...)
    DT_PRINTF(3, 4);
DT_EXTERN_C_END

/* Written from the operators; in C++ a function of C++. */
int dt_test_op_options(void);

int dt_test_exported(void)
{
    return DT_VERSION_MAJOR * 10000 + DT_VERSION_MINOR * 100 + DT_VERSION_PATCH;
}

int dt_test_format(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return length;
}

DT_MUST_USE static dt_status try_it(dt_status status)
{
    DT_TRY(status);
    DT_IGNORE(dt_world_close(NULL));
    return DT_ERR_NOT_FOUND;
}

static void versions(void)
{
    char text[32];
    EXPECT(dt_test_exported() >= 100);
    dt_test_format(text, sizeof text, "%d.%d.%d", DT_VERSION_MAJOR,
                   DT_VERSION_MINOR, DT_VERSION_PATCH);
    EXPECT(strcmp(text, DT_VERSION_STRING) == 0);
    EXPECT(strcmp(text, dt_version()) == 0);
}

static void shapes(void)
{
    dt_shape none = DT_SHAPE();
    dt_shape two = DT_SHAPE(2, 3);
    dt_shape all = DT_SHAPE(1, 1, 1, 1, 1, 1, 1, 1);
    EXPECT(none.ndim == 0);
    EXPECT(two.ndim == 2 && two.dims[0] == 2 && two.dims[1] == 3);
    EXPECT(all.ndim == DT_MAX_NDIM);
    EXPECT(dt_shape_count(none) == 1 && dt_shape_count(two) == 6);
}

static void options(void)
{
    dt_world_options world = DT_WORLD_OPTIONS_INIT;
    dt_wrap_options wrap = DT_WRAP_OPTIONS_INIT;
    dt_save_options save = DT_SAVE_OPTIONS_INIT;
    dt_load_options load = DT_LOAD_OPTIONS_INIT;
    dt_launch_options launch = DT_LAUNCH_OPTIONS_INIT;
    dt_from_local_options parts = DT_FROM_LOCAL_OPTIONS_INIT;
    dt_to_local_options local = DT_TO_LOCAL_OPTIONS_INIT;
    dt_backward_options backward = DT_BACKWARD_OPTIONS_INIT;
    dt_reducer reducer = DT_REDUCER_INIT;
    dt_packing packing = DT_PACKING_INIT;
    dt_local_map_options mapped = DT_LOCAL_MAP_OPTIONS_INIT;
    dt_logspace_options powers = DT_LOGSPACE_OPTIONS_INIT;
    dt_module_hook hook = DT_MODULE_HOOK_INIT;
    dt_nn_options layer = DT_NN_OPTIONS_INIT;
    dt_distribute_module_options spread = DT_DISTRIBUTE_MODULE_OPTIONS_INIT;
    dt_sgd_options sgd = DT_SGD_OPTIONS_INIT;
    dt_adamw_options adamw = DT_ADAMW_OPTIONS_INIT;
    dt_data_parallel_options buckets = DT_DATA_PARALLEL_OPTIONS_INIT;
    dt_loader_options loading = DT_LOADER_OPTIONS_INIT;
    dt_parallelize_options parallel = DT_PARALLELIZE_OPTIONS_INIT;
    dt_transformer transformer = DT_TRANSFORMER_INIT;
    dt_randint_options range = DT_RANDINT_OPTIONS_INIT;
    dt_plan_options plan = DT_PLAN_OPTIONS_INIT;
    dt_redistribute_options change = DT_REDISTRIBUTE_OPTIONS_INIT;
    dt_scope_options scope = DT_SCOPE_OPTIONS_INIT;
    dt_op row = DT_OP_INIT;
    dt_verify_options verify = DT_VERIFY_OPTIONS_INIT;
    EXPECT(save.size == sizeof save && !save.overwrite && !save.file_bytes);
    dt_pass pass = DT_PASS_INIT;
    EXPECT(pass.size == sizeof pass && !pass.run);
    EXPECT(load.size == sizeof load && !load.verify && !load.renames);
    EXPECT(verify.size == sizeof verify && !verify.full && !verify.report);
    dt_graph_load_options exported = DT_GRAPH_LOAD_OPTIONS_INIT;
    EXPECT(exported.size == sizeof exported && !exported.model);
    EXPECT(!exported.any_device);
    EXPECT(world.size == sizeof world && world.log_level == DT_LOG_UNSET);
    EXPECT(parts.size == sizeof parts && !parts.shape && !parts.check);
    EXPECT(local.size == sizeof local && !local.grad_layout);
    EXPECT(backward.size == sizeof backward && !backward.grads);
    EXPECT(reducer.size == sizeof reducer && !reducer.take && !reducer.arg);
    EXPECT(packing.size == sizeof packing && !packing.pack && !packing.arg);
    EXPECT(mapped.size == sizeof mapped && !mapped.redistribute);
    EXPECT(powers.size == sizeof powers && powers.steps == 0);
    EXPECT(range.size == sizeof range && !range.generator);
    EXPECT(hook.size == sizeof hook && !hook.before && !hook.arg);
    EXPECT(layer.size == sizeof layer && layer.dtype == DT_F32);
    EXPECT(spread.size == sizeof spread && spread.weights == DT_WEIGHTS_DRAWN);
    EXPECT(sgd.size == sizeof sgd && sgd.lr == 1e-3 && !sgd.maximize);
    EXPECT(adamw.size == sizeof adamw && adamw.beta2 == 0.999);
    EXPECT(buckets.size == sizeof buckets && !buckets.bucket_bytes);
    EXPECT(loading.size == sizeof loading && loading.token_bytes == 1);
    EXPECT(parallel.size == sizeof parallel && !parallel.dim);
    EXPECT(transformer.size == sizeof transformer && !transformer.untied);
    EXPECT(transformer.dtype == DT_F32 && DT_MODULE_MAX_TENSORS >= 1);
    EXPECT(DT_EVERYWHERE < 0); /* no rank */
    EXPECT(plan.size == sizeof plan && !plan.memory_cap && !plan.transport);
    EXPECT(plan.objective == DT_OBJECTIVE_TIME);
    EXPECT(plan.planner == DT_PLANNER_SEARCH);
    EXPECT(change.size == sizeof change && !change.mesh && !change.layout);
    EXPECT(!change.forward_dtype && !change.backward_dtype);
    EXPECT(!change.asynchronous && !change.memory_cap);
    EXPECT(scope.size == sizeof scope && scope.mode == DT_SCOPE_INHERIT);
    EXPECT(scope.replicate == DT_TRISTATE_INHERIT && !scope.budget);
    EXPECT(launch.size == sizeof launch && !launch.argv);
    EXPECT(row.size == sizeof row && !row.schema && !row.copies);
    EXPECT(wrap.size == sizeof wrap && !wrap.data && wrap.shape.ndim == 0);
}

static void numbers(void)
{
    dt_dims all = DT_DIMS();
    dt_dims last = DT_DIMS(0, -1);
    EXPECT(all.ndim == 0 && last.ndim == 2 && last.dims[1] == -1);
    EXPECT(DT_NO_DIMS.ndim == -1);
    EXPECT(DT_NUMBER(2).kind == DT_KIND_SIGNED);
    EXPECT(DT_NUMBER(2).as.integer == 2);
    EXPECT(DT_NUMBER(2.5).kind == DT_KIND_FLOAT);
    EXPECT(DT_NUMBER(2.5f).as.real == 2.5);
    EXPECT(DT_NUMBER((bool)1).kind == DT_KIND_BOOLEAN);
    EXPECT(dt_number_real(DT_NUMBER(INT64_C(3))) == 3);
    static dt_number kept = DT_REAL(0.5);
    EXPECT(kept.kind == DT_KIND_FLOAT && kept.as.real == 0.5);
    EXPECT(DT_MAX_FACTORS >= DT_MAX_NDIM && DT_MAX_FACTOR_MAPS > 0);
}

static void sizes(void)
{
    int count = 0;
#define COUNT(constant, name, bytes, kind, numpy)                              \
    EXPECT(dt_dtype_size(DT_##constant) == (bytes));                           \
    EXPECT(dt_dtype_kind_of(DT_##constant) == DT_KIND_##kind);                 \
    EXPECT(strcmp(dt_dtype_name(DT_##constant), (name)) == 0 && (numpy)[0]);   \
    count++;
    DT_DTYPES(COUNT)
#undef COUNT
    EXPECT(count == DT_DTYPE_COUNT);
    EXPECT(sizeof(((dt_error *)0)->message) == DT_ERROR_SIZE);
    EXPECT(DT_MESH_NAME_SIZE > 1);
    EXPECT(DT_STATE_NAME_MAX > 1);
    EXPECT(sizeof(((dt_trace_event *)0)->origin) == DT_TRACE_ORIGIN_SIZE);
    EXPECT(DT_PLUGIN_VERSION > 0 && strlen(DT_PLUGIN_SYMBOL) > 0);
}

int main(void)
{
    versions();
    shapes();
    options();
    numbers();
    EXPECT(dt_test_op_options());
    sizes();
    EXPECT(try_it(DT_ERR_IO) == DT_ERR_IO);
    EXPECT(try_it(DT_OK) == DT_ERR_NOT_FOUND);
    printf("%d passed, %d failed\n", failed == 0, failed != 0);
    return failed != 0;
}
