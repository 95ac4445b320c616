/* tests/install/consumer.cpp - the same in C++, with a team of ranks. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <cstdint>
#include <cstdio>
#include <vector>

#include <dtensor/dtensor.h>

/* Sum 1, 2, 3, ... over the ranks, in memory of the program. */
static dt_status program(dt_world *world, void *arg)
{
    std::vector<int32_t> numbers(5, dt_world_rank(world) + 1);
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    dt_array *array = nullptr;
    options.data = numbers.data();
    options.dtype = DT_I32;
    options.shape = DT_SHAPE(numbers.size());
    DT_TRY(dt_array_wrap(world, &options, &array));
    dt_status status =
        dt_group_all_reduce(dt_world_group(world), DT_SUM, array, array);
    dt_array_release(array);
    if (dt_world_rank(world) == 0)
        *static_cast<int *>(arg) = numbers[4];
    return status;
}

int main()
{
    dt_team *team = nullptr;
    dt_error error;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.ranks = 3;
    int sum = 0;
    if (dt_team_open(&options, &team, &error) != DT_OK ||
        dt_team_run(team, program, &sum, &error) != DT_OK) {
        std::fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    dt_team_close(team);
    std::printf("%d on every one of 3 ranks\n", sum);
    return 0;
}
