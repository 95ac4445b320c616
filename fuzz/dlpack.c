/* fuzz/dlpack.c - tensors that other libraries may show. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/dlpack.h>
#include <dtensor/dtensor.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY 4096
#define MOST_DIMS (DT_MAX_NDIM + 1)

/* What a tensor is made of: the first bytes of an input, and what follows them
 * as extents and strides; bytes that are missing are 0. */
typedef struct given {
    uint8_t major, device, ndim, code, bits, lanes, flags, offset;
    int64_t shape[MOST_DIMS];
    int64_t strides[MOST_DIMS];
} given;

static _Alignas(16) char memory[MEMORY];
static int deleted;

static void require(int condition)
{
    if (!condition)
        abort();
}

static void delete_managed(dt_dlpack_managed *self)
{
    (void)self;
    deleted++;
}

static dt_world *open_world(void)
{
    static dt_world *world;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "sim";
    if (!world)
        require(dt_world_open(&options, &world, NULL) == DT_OK);
    return world;
}

/* The bytes that a tensor says it has, and those that a copy of it has. */
static void measure(const dt_dlpack_tensor *tensor, double *span, double *copy)
{
    double item = tensor->dtype.bits / 8.0, width = item;
    *copy = item;
    *span = item;
    for (int i = tensor->ndim - 1; i >= 0; i--) {
        double extent = (double)tensor->shape[i];
        double stride =
            tensor->strides ? (double)tensor->strides[i] * item : width;
        *copy *= extent;
        *span += (extent - 1) * stride;
        width *= extent;
    }
}

/* What is seen where it lies is not read; a copy reads all that the tensor says
 * it has, which has to be there unless it is too much for anyone. */
static int may_be_taken(const dt_dlpack_tensor *tensor)
{
    const double too_much = 18446744073709551616.0;
    double span, copy;
    if (tensor->ndim > DT_MAX_NDIM)
        return 1;
    measure(tensor, &span, &copy);
    return copy == 0 || span >= too_much || copy >= too_much ||
           (span <= MEMORY - 256 && copy <= 1 << 20);
}

static void check_array(dt_world *world, const dt_dlpack_tensor *tensor,
                        dt_array *array)
{
    dt_dlpack_managed *again = NULL;
    require(dt_array_shape(array).ndim == tensor->ndim);
    require(dt_array_to_dlpack(world, array, &again) == DT_OK);
    require(
        !memcmp(&again->dl_tensor.dtype, &tensor->dtype, sizeof tensor->dtype));
    for (int i = 0; i < tensor->ndim; i++) {
        require(again->dl_tensor.shape[i] == tensor->shape[i]);
        require(deleted || !tensor->strides ||
                again->dl_tensor.strides[i] == tensor->strides[i]);
    }
    again->deleter(again);
}

/* What is taken is what was shown, and is deleted once; what is not leaves a
 * sentence, and is not deleted. */
static void take(dt_world *world, dt_dlpack_managed *managed)
{
    dt_array *array = NULL;
    deleted = 0;
    if (dt_array_from_dlpack(world, managed, &array) == DT_OK) {
        check_array(world, &managed->dl_tensor, array);
        dt_array_release(array);
        require(deleted == 1);
        return;
    }
    require(array == NULL && deleted == 0);
    require(dt_world_error(world)->message[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    given from = {0};
    memcpy(&from, data, size < sizeof from ? size : sizeof from);
    dt_dlpack_managed managed = {
        .version = {from.major, 0},
        .deleter = delete_managed,
        .flags = from.flags,
        .dl_tensor = {memory,
                      {from.device, 0},
                      from.ndim % (MOST_DIMS + 1),
                      {from.code, from.bits, from.lanes},
                      from.shape,
                      from.offset < 128 ? from.strides : NULL,
                      from.offset % 128},
    };
    if (may_be_taken(&managed.dl_tensor))
        take(open_world(), &managed);
    return 0;
}
