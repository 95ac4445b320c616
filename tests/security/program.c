/* tests/security/program.c - open a world and say on which transport it is.
 *
 * usage: program [TRANSPORT]
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include <dtensor/dtensor.h>

int main(int argc, char **argv)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_error error = {DT_OK, ""};
    dt_world *world = NULL;
    options.transport = argc > 1 ? argv[1] : NULL;
    if (dt_world_open(&options, &world, &error) != DT_OK) {
        printf("no world: %s\n", error.message);
        return 0;
    }
    printf("a world of %d on %s\n", dt_world_size(world),
           dt_world_transport(world));
    return dt_world_close(world) != DT_OK;
}
