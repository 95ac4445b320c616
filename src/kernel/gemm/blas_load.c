/* kernel/gemm/blas_load.c - find a BLAS library, load it and hold it to one
 * thread. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/attributes.h"
#include "base/error.h"
#include "kernel/gemm/blas.h"
#include "kernel/gemm/blas_core.h"
#include "kernel/gemm/blas_functions.h"

/*
 * A library is either ours or somebody else's.
 *
 * Ours is one that nothing in the process has loaded before.  OpenBLAS reads
 * the environment while it is loaded: the processor to compute for, which it
 * guesses wrongly where the processor is newer than itself, and the number of
 * threads. So both are set for that moment.  Afterwards it is told to use one
 * thread.
 *
 * Somebody else's is used as it is, or not at all: the program that loaded it
 * may rely on its threads.  A second copy is not loaded beside it, because
 * functions of the first would take the place of its own.
 */

/* Everything that is known of the library, for the life of the process. */
static struct {
    bool done;
    bool refused;
    bool named;       /* by DT_BLAS */
    dt_status status; /* of loading, with the reason below */
    char library[512], version[64], core[64], reason[DT_ERROR_SIZE];
    dti_blas_functions functions;
    sem_t free_calls;
} state;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static dt_blas described = {.library = state.library,
                            .version = state.version,
                            .core = state.core,
                            .reason = state.reason};
static _Atomic(const dti_blas_functions *) loaded;

const dti_blas_functions *dti_blas_loaded(void)
{
    return atomic_load_explicit(&loaded, memory_order_acquire);
}

void dti_blas_begin(void)
{
    while (sem_wait(&state.free_calls) != 0)
        assert(errno == EINTR);
}

void dti_blas_end(void)
{
    sem_post(&state.free_calls);
}

bool dti_blas_named(void)
{
    return state.named;
}

bool dti_blas_refused(void)
{
    return state.refused;
}

const dt_blas *dt_blas_used(void)
{
    return &described;
}

/* Say why there is no library; always false. */
DT_PRINTF(1, 2)
static bool do_without(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(state.reason, sizeof state.reason, format, arguments);
    va_end(arguments);
    return false;
}

/* ISO C has no conversion between pointers to objects and to functions. */
#define FIND(handle, name, function)                                           \
    (*(void **)&(function) = dlsym((handle), (name)), (function) != NULL)

/* ---- What a library says of itself -------------------------------------- */

/* OpenBLAS has buffers for so many calls at a time, 50 at the least, and fails
 * in bad ways beyond them. */
enum { MOST_CALLS = 32 };

/* What is asked of a library: each kind has functions of its own. */
typedef struct blas_facts {
    char version[64];
    char core[64];
    int threads; /* that a call may use; 0 if it cannot be asked */
    int calls;
    bool wide; /* its integers have 64 bits */
} blas_facts;

/* Its serial build takes buffers without a lock, unless it was built to: one
 * call at a time, or results are wrong. */
static bool ask_openblas(void *handle, bool ours, blas_facts *out)
{
    char *(*config)(void), *(*corename)(void);
    int (*parallel)(void), (*get_threads)(void);
    void (*set_threads)(int);
    if (!FIND(handle, "openblas_get_config", config) ||
        !FIND(handle, "openblas_get_corename", corename) ||
        !FIND(handle, "openblas_get_parallel", parallel) ||
        !FIND(handle, "openblas_get_num_threads", get_threads) ||
        !FIND(handle, "openblas_set_num_threads", set_threads))
        return false;
    if (ours)
        set_threads(1);
    const char *text = config();
    const char *name_end = strchr(text, ' ');
    const size_t length =
        name_end ? (size_t)(name_end - text) + 1 + strcspn(name_end + 1, " ")
                 : strlen(text);
    snprintf(out->version, sizeof out->version, "%.*s", (int)length, text);
    snprintf(out->core, sizeof out->core, "%s", corename());
    const bool serial = parallel() == 0;
    out->threads = serial ? 1 : get_threads();
    out->calls = serial && !strstr(text, "USE_LOCKING") ? 1 : MOST_CALLS;
    out->wide = strstr(text, "USE64BITINT") != NULL;
    return true;
}

static bool ask_blis(void *handle, bool ours, blas_facts *out)
{
    const char *(*version)(void);
    long (*integer_bits)(void), (*get_threads)(void);
    void (*set_threads)(long);
    if (!FIND(handle, "bli_info_get_version_str", version) ||
        !FIND(handle, "bli_info_get_blas_int_type_size", integer_bits) ||
        !FIND(handle, "bli_thread_get_num_threads", get_threads) ||
        !FIND(handle, "bli_thread_set_num_threads", set_threads))
        return false;
    if (ours)
        set_threads(1);
    snprintf(out->version, sizeof out->version, "BLIS %s", version());
    out->threads = (int)get_threads();
    out->wide = integer_bits() == 64;
    return true;
}

static bool ask_mkl(void *handle, bool ours, blas_facts *out)
{
    void (*version)(char *, int), (*set_threads)(int);
    int (*get_threads)(void);
    if (!FIND(handle, "MKL_Get_Version_String", version) ||
        !FIND(handle, "MKL_Get_Max_Threads", get_threads) ||
        !FIND(handle, "MKL_Set_Num_Threads", set_threads))
        return false;
    if (ours)
        set_threads(1);
    version(out->version, sizeof out->version);
    out->threads = get_threads();
    return true;
}

static blas_facts ask(void *handle, bool ours)
{
    static bool (*const kinds[])(void *, bool, blas_facts *) = {
        ask_openblas, ask_blis, ask_mkl};
    blas_facts facts = {.calls = MOST_CALLS};
    for (size_t i = 0; i < DTI_COUNT_OF(kinds); i++)
        if (kinds[i](handle, ours, &facts))
            break;
    return facts;
}

/* ---- Taking it ---------------------------------------------------------- */

static bool find_functions(void *handle, dti_blas_functions *out)
{
    return FIND(handle, "cblas_sgemm", out->sgemm) &&
           FIND(handle, "cblas_dgemm", out->dgemm) &&
           FIND(handle, "cblas_cgemm", out->cgemm) &&
           FIND(handle, "cblas_sgemv", out->sgemv) &&
           FIND(handle, "cblas_dgemv", out->dgemv) &&
           FIND(handle, "cblas_cgemv", out->cgemv);
}

/* The file that holds a library's functions. */
static const char *file_of(const dti_blas_functions *functions)
{
    Dl_info info;
    void *address = *(void *const *)&functions->sgemm;
    return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "";
}

/* Somebody else's library must be as we would have made ours. */
static bool suits(const char *file, const blas_facts *facts)
{
    if (facts->threads == 0)
        return do_without("%s was loaded before the first world was opened and "
                          "may run several threads",
                          file);
    if (facts->threads != 1)
        return do_without("%s was loaded before the first world was opened and "
                          "runs %d threads; set OPENBLAS_NUM_THREADS=1 if "
                          "nothing else needs them",
                          file, facts->threads);
    if (!dti_blas_core_suits(facts->core))
        return do_without("%s was loaded before the first world was opened and "
                          "computes for the processor %s; set "
                          "OPENBLAS_CORETYPE=%s",
                          file, facts->core, dti_blas_core());
    return true;
}

static bool take(void *handle, bool ours)
{
    dti_blas_functions functions;
    if (!find_functions(handle, &functions))
        return do_without("a library lacks functions of CBLAS: %s", dlerror());
    const char *file = file_of(&functions);
    const blas_facts facts = ask(handle, ours);
    if (facts.wide)
        return do_without("%s has integers of 64 bits", file);
    if (!ours && !suits(file, &facts))
        return false;
    functions.calls = facts.calls;
    state.functions = functions;
    snprintf(state.library, sizeof state.library, "%s", file);
    strcpy(state.version, facts.version);
    strcpy(state.core, facts.core);
    described.threads = facts.threads;
    sem_init(&state.free_calls, 0, (unsigned)facts.calls);
    return true;
}

/* ---- Loading ------------------------------------------------------------ */

/* A variable of the environment that has another value for a while. */
typedef struct variable {
    const char *name;
    char *before; /* NULL: it had none */
    bool changed;
} variable;

static void change(variable *of, const char *value)
{
    const char *before = getenv(of->name);
    of->before = before ? strdup(before) : NULL;
    if (before && !of->before)
        return;
    of->changed = setenv(of->name, value, 1) == 0;
}

static void restore(variable *of)
{
    if (of->changed && of->before)
        setenv(of->name, of->before, 1);
    else if (of->changed)
        unsetenv(of->name);
    free(of->before);
}

/* Programs with the rights of another user keep their environment. */
static bool is_privileged(void)
{
    return getauxval(AT_SECURE) != 0;
}

/* Load a library under the settings that OpenBLAS reads while it is loaded. */
static void *load(const char *name)
{
    variable core = {.name = "OPENBLAS_CORETYPE"};
    variable threads = {.name = "OPENBLAS_NUM_THREADS"};
    const char *chosen = dti_blas_core();
    if (!is_privileged()) {
        change(&threads, "1");
        if (*chosen && !getenv(core.name))
            change(&core, chosen);
    }
    void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    restore(&core);
    restore(&threads);
    return handle;
}

/* Where OpenBLAS is looked for.  Of Debian's and Fedora's builds that with
 * POSIX threads comes first: the serial one may not be called by several
 * threads at a time, and that with OpenMP may hang after fork(). */
static const char *const usual_names[] = {
#ifdef DTI_LIBRARY_ARCHITECTURE
    "/usr/lib/" DTI_LIBRARY_ARCHITECTURE "/openblas-pthread/libopenblas.so.0",
#endif
    "libopenblasp.so.0",
    "libopenblas.so.0",
    "libopenblas.so",
};

/* Of programs that are linked statically, the C library can load others only
 * with a second copy of itself. */
static int has_interpreter(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_INTERP)
            *(bool *)arg = true;
    return 1; /* the program comes first; look no further */
}

static bool is_static(void)
{
    bool interpreted = false;
    dl_iterate_phdr(has_interpreter, &interpreted);
    return !interpreted;
}

/* The library in which the program's own calls of CBLAS end, or one of these
 * names; NULL if none is loaded. */
static void *find_loaded(const char *const *names, size_t count)
{
    if (dlsym(RTLD_DEFAULT, "cblas_sgemm"))
        return dlopen(NULL, RTLD_LAZY);
    for (size_t i = 0; i < count; i++) {
        void *handle = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
        if (handle)
            return handle;
    }
    return NULL;
}

static bool choose(const char *const *names, size_t count)
{
    if (is_static())
        return do_without("a program that is linked statically loads none");
    void *handle = find_loaded(names, count);
    if (handle)
        return !(state.refused = !take(handle, false));
    for (size_t i = 0; i < count && !handle; i++)
        handle = load(names[i]);
    if (!handle)
        return do_without("%s", dlerror());
    return take(handle, true);
}

/* Under the lock. */
static void load_first(const char *wanted)
{
    const bool usual = is_privileged() || strcmp(wanted, DTI_BLAS_USUAL) == 0;
    bool found = false;
    if (usual)
        found = choose(usual_names, DTI_COUNT_OF(usual_names));
    else if (strcmp(wanted, DTI_BLAS_NONE) == 0)
        do_without("DT_BLAS is " DTI_BLAS_NONE);
    else if (!(found = choose(&wanted, 1)))
        state.status = DT_ERR_NOT_FOUND;
    state.named = !usual && found;
    if (found)
        atomic_store_explicit(&loaded, &state.functions, memory_order_release);
}

dt_status dti_blas_load(const char *wanted, dt_error *error)
{
    pthread_mutex_lock(&lock);
    if (!state.done)
        load_first(wanted);
    state.done = true;
    pthread_mutex_unlock(&lock);
    if (state.status == DT_OK)
        return DT_OK;
    return dti_error_set(error, state.status,
                         "DT_BLAS is \"%s\", which cannot be loaded: %s",
                         wanted, state.reason);
}
