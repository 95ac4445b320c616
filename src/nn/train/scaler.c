/* nn/train/scaler.c - losses scaled up, for gradients in f16. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <dtensor/create.h>
#include <dtensor/ops/math.h>
#include <dtensor/sys/ops_training.h>

#include "base/error.h"
#include "base/handles.h"
#include "nn/train/optimizer.h"
#include "tensor/tensor.h"

/* An option, or its default if it is 0. */
static double given_or(double option, double usual)
{
    return option != 0 ? option : usual;
}

static double scale_of(const dt_scaler *scaler)
{
    return given_or(scaler->scale, 65536);
}

dt_tensor *dt_scaler_scale(const dt_scaler *scaler, dt_tensor *loss)
{
    return dt_mul_scalar(loss, dt_real(scale_of(scaler)));
}

/* The mesh with the most ranks, which has to have those of the others. */
static dt_mesh *largest_mesh(dt_tensor *const *tensors, int count)
{
    dt_mesh *largest = dt_tensor_mesh(tensors[0]);
    for (int i = 1; i < count; i++)
        if (dt_mesh_size(dt_tensor_mesh(tensors[i])) > dt_mesh_size(largest))
            largest = dt_tensor_mesh(tensors[i]);
    return largest;
}

static dt_status unscale(const dt_optimizer *optimizer, dt_tensor **grads,
                         int count, double scale, bool *overflow)
{
    dt_scope *scope = dti_optimizer_scope(optimizer);
    if (!scope) /* other ranks wait */
        return dti_collective_end(optimizer->world, DT_ERR_NO_MEMORY);
    dt_mesh *mesh = largest_mesh(grads, count);
    dt_tensor *found = dt_zeros(mesh, NULL, DT_F32, DT_SHAPE());
    dt_tensor *factor = dt_full(mesh, NULL, DT_F32, DT_SHAPE(), 1 / scale);
    dt_number value = dt_real(0);
    dt_status status = dt_amp_foreach_non_finite_check_and_unscale_(
        grads, count, found, factor);
    if (status == DT_OK)
        status = dt_tensor_item(found, &value);
    const dt_status closed = dt_scope_close(scope);
    if (status == DT_OK && closed == DT_OK)
        *overflow = dt_number_real(value) != 0;
    return status != DT_OK ? status : closed;
}

dt_status dt_scaler_unscale(const dt_scaler *scaler, dt_optimizer *optimizer,
                            bool *overflow)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(scaler, __func__, "scaler"));
    DTI_TRY(dti_given(optimizer, __func__, "optimizer"));
    DTI_TRY(dti_given(overflow, __func__, "overflow"));
    dt_tensor **grads = NULL;
    int count = 0;
    DTI_TRY(dti_optimizer_grads(optimizer, &grads, &count));
    dt_status status = DT_OK;
    if (count)
        status = unscale(optimizer, grads, count, scale_of(scaler), overflow);
    else
        *overflow = false;
    free(grads);
    return status;
}

void dt_scaler_update(dt_scaler *scaler, bool overflow)
{
    const int64_t interval = scaler->interval ? scaler->interval : 2000;
    double factor = 1;
    scaler->good++;
    if (overflow) {
        factor = given_or(scaler->backoff, 0.5);
        scaler->good = 0;
    } else if (scaler->good >= interval) {
        factor = given_or(scaler->growth, 2);
        scaler->good = 0;
    }
    scaler->scale = scale_of(scaler) * factor;
}

dt_status dt_scaler_step(dt_scaler *scaler, dt_optimizer *optimizer,
                         bool *stepped)
{
    bool overflow = false;
    DTI_TRY(dt_scaler_unscale(scaler, optimizer, &overflow));
    if (!overflow)
        DTI_TRY(dt_optimizer_step(optimizer));
    dt_scaler_update(scaler, overflow);
    if (stepped)
        *stepped = !overflow;
    return DT_OK;
}
