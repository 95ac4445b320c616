/* base/machine/pin.c - ranks on cores of their own, and letting go of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/machine/pin.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/machine/clock.h"
#include "base/machine/cpu.h"

/* Nanoseconds between looks, and what of them counts. */
static const int64_t between = 20 * 1000000, least = 5 * 1000000;

/* How long it stays away from its cores: at first, and at most. */
static const int64_t first_pause = INT64_C(1000000000);
static const int64_t longest_pause = INT64_C(60) * 1000000000;

void dti_pin_adopt(dti_pin *pin, int ranks, const cpu_set_t *allowed)
{
    *pin = (dti_pin){.allowed = *allowed};
    const int cores = CPU_COUNT(allowed);
    if (sched_getaffinity(0, sizeof pin->own, &pin->own) != 0 || cores < 1 ||
        CPU_EQUAL(&pin->own, allowed))
        return;
    pin->pinned = pin->held = true;
    pin->sharing = ranks > cores ? ranks / cores : 1;
}

void dti_pin_take(dti_pin *pin, int rank, int ranks)
{
    cpu_set_t allowed;
    *pin = (dti_pin){.pinned = false};
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    dti_cpu_place(rank, ranks);
    dti_pin_adopt(pin, ranks, &allowed);
}

/* How long this thread has run, and waited for a core. */
static bool read_times(int64_t *ran, int64_t *waited)
{
    char text[96];
    const int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0)
        return false;
    text[count] = '\0';
    return sscanf(text, "%" SCNd64 " %" SCNd64, ran, waited) == 2;
}

static bool move_to(dti_pin *pin, bool held)
{
    const cpu_set_t *set = held ? &pin->own : &pin->allowed;
    if (sched_setaffinity(0, sizeof *set, set) != 0)
        return false;
    pin->held = held;
    return true;
}

/* Ranks that share a core have their share of it, if nobody else uses it. */
static bool is_crowded(const dti_pin *pin, int64_t ran, int64_t waited)
{
    const int64_t wanted = ran + waited;
    return wanted >= least && 10 * ran * pin->sharing < 7 * wanted;
}

bool dti_pin_judge(dti_pin *pin, int64_t now, int64_t ran, int64_t waited)
{
    const bool crowded = is_crowded(pin, ran - pin->ran, waited - pin->waited);
    const bool first = pin->looked == 0;
    pin->looked = now;
    pin->ran = ran;
    pin->waited = waited;
    if (first)
        return false;
    if (!pin->held)
        return now >= pin->again && move_to(pin, true);
    if (!crowded)
        return false;
    pin->pause = pin->pause && now - pin->again < pin->pause ? 2 * pin->pause
                                                             : first_pause;
    if (pin->pause > longest_pause)
        pin->pause = longest_pause;
    pin->again = now + pin->pause;
    return move_to(pin, false);
}

bool dti_pin_look(dti_pin *pin)
{
    int64_t ran, waited;
    if (!pin->pinned)
        return false;
    const int64_t now = dti_clock_now();
    if (now - pin->looked < between)
        return false;
    if (!read_times(&ran, &waited)) {
        pin->pinned = false; /* nothing to judge by: it stays where it is */
        return false;
    }
    return dti_pin_judge(pin, now, ran, waited);
}
