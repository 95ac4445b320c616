#include "bench/bench.h"
const bench_suite bench_suite_collectives = {.name="collectives"};
