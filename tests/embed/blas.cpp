/* tests/embed/blas.cpp - which BLAS library a program gets, and that what the
 * program has set up itself stays as it is. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <dtensor/dtensor.h>

namespace
{

int failures;

void check(bool condition, const char *what, int line)
{
    if (condition)
        return;
    const dt_blas *blas = dt_blas_used();
    std::fprintf(stderr,
                 "  tests/embed/blas.cpp:%d: %s (library \"%s\", core \"%s\", "
                 "%d threads, \"%s\")\n",
                 line, what, blas->library, blas->core, blas->threads,
                 blas->reason);
    ++failures;
}

#define CHECK(condition) check((condition), #condition, __LINE__)

const char *const openblas = "libopenblas.so.0";

std::string variable(const char *name)
{
    const char *text = std::getenv(name);
    return text ? text : "(unset)";
}

bool contains(const char *text, const char *words)
{
    return std::strstr(text, words) != nullptr;
}

std::string remark;

void remember(void *, dt_log_level level, int, const char *message)
{
    remark =
        (level == DT_LOG_WARNING ? "warning: " : "") + std::string(message);
}

/* Open a world on one rank and multiply; true if the product is right. */
bool multiplies(dt_error *error)
{
    const int side = 64;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.log = remember;
    options.log_level = DT_LOG_INFO;
    dt_world *world = nullptr;
    if (dt_world_open(&options, &world, error) != DT_OK)
        return false;
    dt_mesh *mesh = nullptr;
    CHECK(dt_mesh_create(world, "x", &mesh) == DT_OK);
    dt_tensor *a = dt_ones(mesh, "R", DT_F32, DT_SHAPE(side, side));
    dt_tensor *product = dt_matmul(a, a);
    bool right = product != nullptr;
    const float *c = static_cast<const float *>(
        dt_array_const_data(dt_tensor_local(product)));
    for (int i = 0; c && i < side * side; i++)
        right = right && c[i] == side;
    dt_mesh_release(mesh);
    CHECK(dt_world_close(world) == DT_OK);
    return right;
}

void check_product()
{
    dt_error error = {DT_OK, ""};
    CHECK(multiplies(&error));
    CHECK(error.code == DT_OK);
}

/* ---- Ours --------------------------------------------------------------- */

void is_found_by_itself()
{
    setenv("OPENBLAS_NUM_THREADS", "3", 1);
    CHECK(*dt_blas_used()->library == '\0');
    check_product();
    const dt_blas *blas = dt_blas_used();
    CHECK(contains(blas->library, "libopenblas"));
    CHECK(contains(blas->version, "OpenBLAS "));
    CHECK(blas->threads == 1);
    const std::string level = dt_cpu_name_used();
    if (level != "portable")
        CHECK(blas->core ==
              std::string(level == "avx2" ? "Haswell" : "SkylakeX"));
    CHECK(remark.empty());
    /* The environment is as it was. */
    CHECK(variable("OPENBLAS_CORETYPE") == "(unset)");
    CHECK(variable("OPENBLAS_NUM_THREADS") == "3");
}

void computes_for_the_core_that_is_set()
{
    setenv("OPENBLAS_CORETYPE", "Nehalem", 1);
    check_product();
    CHECK(std::string("Nehalem") == dt_blas_used()->core);
    CHECK(variable("OPENBLAS_CORETYPE") == "Nehalem");
}

void follows_dt_cpu()
{
    setenv("DT_CPU", "portable", 1);
    check_product();
    CHECK(contains("Nehalem Prescott Sandybridge", dt_blas_used()->core));
}

void is_loaded_by_name()
{
    setenv("DT_BLAS", openblas, 1);
    check_product();
    CHECK(contains(dt_blas_used()->library, "libopenblas"));
    CHECK(dt_blas_used()->threads == 1);
}

/* ---- Somebody else's ---------------------------------------------------- */

typedef int (*get_threads)();

/* Load a copy as a program would; gives the function that counts its threads.
 */
get_threads load_copy(const char *threads, const char *core)
{
    setenv("OPENBLAS_NUM_THREADS", threads, 1);
    if (core)
        setenv("OPENBLAS_CORETYPE", core, 1);
    void *handle = dlopen(openblas, RTLD_NOW | RTLD_GLOBAL);
    get_threads function = nullptr;
    if (handle)
        *reinterpret_cast<void **>(&function) =
            dlsym(handle, "openblas_get_num_threads");
    CHECK(function != nullptr);
    unsetenv("OPENBLAS_NUM_THREADS");
    unsetenv("OPENBLAS_CORETYPE");
    return function;
}

void is_left_alone_with_threads()
{
    get_threads count = load_copy("2", nullptr);
    if (!count || count() < 2)
        return; /* one core, or a build without threads */
    check_product();
    CHECK(*dt_blas_used()->library == '\0');
    CHECK(contains(dt_blas_used()->reason, "2 threads"));
    CHECK(
        contains(remark.c_str(), "warning: no BLAS library: matrix products"));
    CHECK(count() == 2);
}

void is_left_alone_for_another_core()
{
    load_copy("1", "Prescott");
    check_product();
    if (std::strcmp(dt_cpu_name_used(), "portable") == 0)
        return;
    CHECK(*dt_blas_used()->library == '\0');
    CHECK(contains(dt_blas_used()->reason, "Prescott"));
}

void is_used_if_it_suits()
{
    load_copy("1", nullptr);
    setenv("OPENBLAS_NUM_THREADS", "3", 1); /* it is not loaded again */
    check_product();
    CHECK(contains(dt_blas_used()->library, "libopenblas"));
    CHECK(dt_blas_used()->threads == 1);
}

/* ---- None --------------------------------------------------------------- */

void can_be_left_out()
{
    setenv("DT_BLAS", "none", 1);
    check_product();
    CHECK(*dt_blas_used()->library == '\0');
    CHECK(contains(dt_blas_used()->reason, "DT_BLAS is none"));
    CHECK(!contains(remark.c_str(), "warning"));
}

void fails_if_it_is_named_and_missing()
{
    dt_error error = {DT_OK, ""};
    setenv("DT_BLAS", "libnowhere.so.7", 1);
    CHECK(!multiplies(&error));
    CHECK(error.code == DT_ERR_NOT_FOUND);
    CHECK(contains(error.message, "DT_BLAS is \"libnowhere.so.7\""));
    /* The second world is told the same. */
    CHECK(!multiplies(&error));
    CHECK(error.code == DT_ERR_NOT_FOUND);
}

void fails_if_it_is_no_blas()
{
    dt_error error = {DT_OK, ""};
    setenv("DT_BLAS", "libm.so.6", 1);
    CHECK(!multiplies(&error));
    CHECK(error.code == DT_ERR_NOT_FOUND);
    CHECK(contains(error.message, "cblas_sgemm"));
}

/* ---- Each in a process of its own --------------------------------------- */

struct test {
    const char *name;
    void (*run)();
    bool needs_openblas;
};

const test tests[] = {
    {"is found by itself", is_found_by_itself, true},
    {"computes for the core that is set", computes_for_the_core_that_is_set,
     true},
    {"follows DT_CPU", follows_dt_cpu, true},
    {"is loaded by name", is_loaded_by_name, true},
    {"is left alone with threads", is_left_alone_with_threads, true},
    {"is left alone for another core", is_left_alone_for_another_core, true},
    {"is used if it suits", is_used_if_it_suits, true},
    {"can be left out", can_be_left_out, false},
    {"fails if it is named and missing", fails_if_it_is_named_and_missing,
     false},
    {"fails if it is no BLAS", fails_if_it_is_no_blas, false},
};

bool run_alone(void (*function)())
{
    pid_t child = fork();
    if (child == 0) {
        function();
        _exit(failures != 0);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

void find_openblas()
{
    failures = dlopen(openblas, RTLD_LAZY) == nullptr;
}

} // namespace

int main()
{
    int passed = 0, failed = 0;
    for (const char *name : {"OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS",
                             "DT_BLAS", "DT_CPU", "DT_RANKS"})
        unsetenv(name);
    const bool found = run_alone(find_openblas);
    for (const test &one : tests) {
        if (one.needs_openblas && !found) {
            std::printf("skip %s: OpenBLAS is not installed\n", one.name);
            continue;
        }
        const bool good = run_alone(one.run);
        std::printf("%s %s\n", good ? "ok  " : "FAIL", one.name);
        ++(good ? passed : failed);
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
