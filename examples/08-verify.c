/* 08-verify.c - verify a sharding rule of the program's own. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>
#include <dtensor/sys/verify.h>
#include <stdio.h>

static dt_status program(dt_world *world, void *arg)
{
    static const char *const rules[] = {"...->...; dims whole", "...->..."};
    (void)arg;
    for (int i = 0; i < 2 && dt_world_rank(world) == 0; i++) {
        DT_TRY(dt_op_set_rule(world, "flip", rules[i]));
        if (dt_op_verify(world, "flip", NULL) == DT_OK)
            printf("%s is right\n", rules[i]);
        else
            printf("%s\n", dt_world_error(world)->message);
    }
    return DT_OK;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, NULL);
}
