/* array/cast.c - converting elements of one dtype to another. */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_cast_runs_portable
#include "array/cast_level_tmpl.h"

#include <dtensor/array.h>

#include "array/array.h"
#include "array/given.h"
#include "base/handles.h"

const dti_cast_run *dti_cast_runs_of(dti_cpu_level level)
{
#if defined(__x86_64__)
    if (level == DTI_CPU_AVX512)
        return dti_cast_runs_avx512;
    if (level == DTI_CPU_AVX2)
        return dti_cast_runs_avx2;
#endif
    (void)level;
    return dti_cast_runs_portable;
}

void dti_cast(const void *source, dt_dtype from, void *destination, dt_dtype to,
              int64_t count)
{
    const dti_cast_run *runs = dti_cast_runs_of(dti_cpu_level_used());
    runs[from](source, destination, to, count);
}

dt_status dt_array_cast(dt_world *world, const dt_array *array, dt_dtype dtype,
                        dt_array **out)
{
    DTI_ENTRY();
    DT_TRY(dti_array_given(world, array, "dt_array_cast"));
    if (dt_array_is_meta(array))
        return dt_array_create_meta(world, dtype, array->shape, out);
    dt_array *cast = NULL;
    DT_TRY(dt_array_create(world, dtype, array->shape, &cast));
    dt_status status = dt_array_copy(world, array, cast);
    if (status == DT_OK)
        *out = cast;
    else
        dt_array_release(cast);
    return status;
}
