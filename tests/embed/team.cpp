/* tests/embed/team.cpp - a C++ server whose threads share a team of ranks. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <dtensor/dtensor.h>

namespace
{

const int ranks = 4;
const int threads = 6;
const int requests = 50;

std::atomic<int> failures(0);

void check(bool condition, const char *what, int line)
{
    if (condition)
        return;
    std::fprintf(stderr, "  tests/embed/team.cpp:%d: %s\n", line, what);
    ++failures;
}

#define CHECK(condition) check((condition), #condition, __LINE__)

/* What a client asks for: a sum over all ranks of numbers that it gives. */
struct request {
    double number;
    double sum;
    std::atomic<int> runs;
    bool fail;
};

dt_status serve(dt_world *world, void *arg)
{
    request *asked = static_cast<request *>(arg);
    ++asked->runs;
    dt_array *array = nullptr;
    DT_TRY(dt_array_create(world, DT_F64, DT_SHAPE(3, 1000), &array));
    dt_status status =
        dt_array_fill(world, array, asked->number + dt_world_rank(world));
    if (asked->fail && dt_world_rank(world) == ranks - 1)
        status = dt_array_reshape(world, array, DT_SHAPE(7, 7), &array);
    if (status == DT_OK)
        status =
            dt_group_all_reduce(dt_world_group(world), DT_SUM, array, array);
    if (status == DT_OK && dt_world_rank(world) == 0)
        asked->sum =
            static_cast<const double *>(dt_array_const_data(array))[2999];
    dt_array_release(array);
    return status;
}

/* One client: it gets its own answer, and its own failures. */
void client(dt_team *team, int number)
{
    for (int i = 0; i < requests; i++) {
        request asked;
        asked.number = 1000 * number + i;
        asked.sum = 0;
        asked.runs = 0;
        asked.fail = i % 7 == 3;
        dt_error error;
        error.code = DT_OK;
        error.message[0] = '\0';
        dt_status status = dt_team_run(team, serve, &asked, &error);
        CHECK(asked.runs == ranks);
        if (asked.fail) {
            CHECK(status == DT_ERR_INVALID);
            CHECK(error.code == DT_ERR_INVALID);
            CHECK(std::strncmp(error.message, "rank 3: ", 8) == 0);
        } else {
            CHECK(status == DT_OK);
            /* n + (n + 1) + (n + 2) + (n + 3) */
            CHECK(asked.sum == 4 * asked.number + 6);
        }
    }
}

/* What was kept by one run is there in the next. */
struct kept_arrays {
    dt_array *arrays[ranks];
};

dt_status keep(dt_world *world, void *arg)
{
    kept_arrays *kept = static_cast<kept_arrays *>(arg);
    dt_array **mine = &kept->arrays[dt_world_rank(world)];
    DT_TRY(dt_array_create(world, DT_I64, DT_SHAPE(5), mine));
    return dt_array_fill_int(world, *mine, dt_world_rank(world));
}

dt_status add_to_kept(dt_world *world, void *arg)
{
    kept_arrays *kept = static_cast<kept_arrays *>(arg);
    dt_array *mine = kept->arrays[dt_world_rank(world)];
    return dt_group_all_reduce(dt_world_group(world), DT_SUM, mine, mine);
}

void keeps_arrays(dt_team *team)
{
    kept_arrays kept = {};
    CHECK(dt_team_run(team, keep, &kept, nullptr) == DT_OK);
    CHECK(dt_team_run(team, add_to_kept, &kept, nullptr) == DT_OK);
    for (int i = 0; i < ranks; i++) {
        const std::int64_t *data = static_cast<const std::int64_t *>(
            dt_array_const_data(kept.arrays[i]));
        CHECK(data && data[0] == 6 && data[4] == 6);
        dt_array_release(kept.arrays[i]);
    }
}

dt_team *open_team()
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "threads";
    options.ranks = ranks;
    options.timeout = 60;
    dt_team *team = nullptr;
    dt_error error;
    dt_status status = dt_team_open(&options, &team, &error);
    if (status != DT_OK)
        std::fprintf(stderr, "  %s: %s\n", dt_status_name(status),
                     error.message);
    CHECK(status == DT_OK);
    return team;
}

} // namespace

int main()
{
    /* Two teams, so that nothing of one is seen in the other. */
    dt_team *teams[] = {open_team(), open_team()};
    if (!teams[0] || !teams[1])
        return 1;
    std::vector<std::thread> clients;
    for (int i = 0; i < threads; i++)
        clients.emplace_back(client, teams[i % 2], i);
    for (std::thread &one : clients)
        one.join();
    keeps_arrays(teams[0]);
    dt_team_close(teams[0]);
    keeps_arrays(teams[1]);
    dt_team_close(teams[1]);
    std::printf("%s\n",
                failures == 0 ? "1 passed, 0 failed" : "0 passed, 1 failed");
    return failures != 0;
}
