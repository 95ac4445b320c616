/* comm/mpi/mpi.c - finding the plug-in that talks to MPI. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/mpi/mpi.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <dtensor/sys/plugin.h>

#include "base/error.h"
#include "base/log.h"
#include "base/world.h"
#include "comm/call.h"
#include "comm/history.h"
#include "kernel/reduce/reduce.h"

/*
 * The library links no MPI.  There is one plug-in per MPI library, named after
 * it, and the variables that a launcher leaves to its processes say which
 * library that is.  A plug-in stays loaded: MPI cannot be started twice.
 */

enum { PATH_SIZE = 4096 };

/* What the launcher of an MPI library leaves in the environment. */
static const struct {
    const char *variable; /* the number of ranks */
    const char *local;    /* of those, on this machine */
    const char *library;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "openmpi"},
    {"PMI_SIZE", "MPI_LOCALNRANKS", "mpich"},
};

/* The library of a program that was not started by a launcher. */
#define DEFAULT_LIBRARY "openmpi"

/* What this thread was given to open a world on. */
static _Thread_local struct {
    const char *library;
    const void *communicator;
} given;

void dti_mpi_give(const char *library, const void *communicator)
{
    given.library = library;
    given.communicator = communicator;
}

static const void *given_communicator(void)
{
    return given.communicator;
}

static double timeout_of(const dt_world *world)
{
    return world->settings.timeout;
}

static bool check_of(const dt_world *world)
{
    return world->settings.check;
}

static void write_record(const dt_call *call, int size, void *record)
{
    dti_call_write_record(call, size, record);
}

static void describe_record(const void *record, char *text, size_t size)
{
    dti_call_describe(record, text, size);
}

static uint64_t mesh_of(const dt_call *call)
{
    const dti_history *history = call->history;
    return history ? history->id : 0;
}

static void write_page(const dt_world *world, uint64_t mesh, void *page)
{
    dti_history_write(mesh ? dti_history_of(world, mesh) : NULL, page);
}

static dt_status diverge(const dt_channel *line, const dt_call *call,
                         const dt_call_side *mine, int member,
                         const dt_call_side *theirs)
{
    const dti_call_side sides[] = {{mine->record, mine->page},
                                   {theirs->record, theirs->page}};
    return dti_call_diverge(line, call, &sides[0], member, &sides[1]);
}

static const dt_services services = {
    .version = DT_PLUGIN_VERSION,
    .services_size = sizeof(dt_services),
    .transport_size = sizeof(dt_transport),
    .line_size = sizeof(dt_channel),
    .call_size = sizeof(dt_call),
    .fail = dti_fail,
    .error_set = dti_error_set,
    .log = dti_log,
    .reduce = dti_reduce,
    .communicator = given_communicator,
    .timeout = timeout_of,
    .check = check_of,
    .record_bytes = sizeof(dti_call_record),
    .write_record = write_record,
    .describe_record = describe_record,
    .mesh_of = mesh_of,
    .page_bytes = sizeof(dti_history_page),
    .write_page = write_page,
    .diverge = diverge,
    .diverge_counts = dti_call_diverge_counts,
};

/* The MPI library whose launcher started this process, and how many ranks it
 * started; NULL if none did. */
static const char *launched_by(int *ranks)
{
    for (size_t i = 0; i < DTI_COUNT_OF(launchers); i++) {
        const char *text = secure_getenv(launchers[i].variable);
        if (text && *text) {
            *ranks = atoi(text);
            return launchers[i].library;
        }
    }
    return NULL;
}

int dti_mpi_neighbours(void)
{
    for (size_t i = 0; i < DTI_COUNT_OF(launchers); i++) {
        const char *text = getenv(launchers[i].local);
        const int count = text ? atoi(text) : 0;
        if (count > 0)
            return count;
    }
    return 1;
}

/* ---- Places ------------------------------------------------------------- */

/* A search under way: what was found, or what was wrong. */
typedef struct search {
    const char *library;
    const dt_transport *found;
    char fault[512]; /* of a file that exists and cannot be used */
} search;

/* Try one file; true if the search is over. */
static bool try_file(search *s, const char *path)
{
    if (access(path, F_OK) != 0)
        return false;
    /* Open MPI loads parts of its own that look for its symbols. */
    void *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!handle) {
        snprintf(s->fault, sizeof s->fault, "%s", dlerror());
        return true;
    }
    /* ISO C has no conversion between pointers to objects and to functions. */
    dt_plugin_function function;
    *(void **)&function = dlsym(handle, DT_PLUGIN_SYMBOL);
    if (!function)
        snprintf(s->fault, sizeof s->fault, "%s has no function %s", path,
                 DT_PLUGIN_SYMBOL);
    else if (!(s->found = function(&services)))
        snprintf(s->fault, sizeof s->fault,
                 "%s was built for another version of dtensor", path);
    return true;
}

/* Try the plug-in in a folder, given as the start of a path and what follows.
 */
static bool try_folder(search *s, const char *folder, const char *below)
{
    char path[PATH_SIZE];
    int length = snprintf(path, sizeof path, "%s%s/libdtensor-mpi-%s.so",
                          folder, below, s->library);
    return length < (int)sizeof path && try_file(s, path);
}

/* The path of the running program.  Whoever starts a set-user-ID program may
 * have linked it to a folder of theirs. */
static bool find_program(char *file)
{
    if (getauxval(AT_SECURE))
        return false;
    const ssize_t length = readlink("/proc/self/exe", file, PATH_SIZE - 1);
    if (length < 0)
        return false;
    file[length] = '\0';
    return true;
}

/*
 * The absolute path of the file that holds this code: the shared library, or
 * the program that the library was linked into.  The name that the loader has
 * for a program is its argv[0], which whoever starts it chooses; that of a
 * library is relative if it was found relative to the current directory.
 */
static bool find_library(char *file)
{
    Dl_info info;
    struct link_map *map = NULL;
    void **place = (void **)&map;
    if (!dladdr1(&services, &info, place, RTLD_DL_LINKMAP) || !map)
        return false;
    if (!map->l_name[0])
        return find_program(file);
    const int length = snprintf(file, PATH_SIZE, "%s", map->l_name);
    return file[0] == '/' && length < PATH_SIZE;
}

/* Try the folders beside the library: beside a shared one and beside a program
 * in bin/. */
static bool try_beside_library(search *s)
{
    char file[PATH_SIZE];
    char *slash = find_library(file) ? strrchr(file, '/') : NULL;
    if (!slash)
        return false;
    *slash = '\0';
    return try_folder(s, file, "/dtensor") ||
           try_folder(s, file, "/../lib/dtensor");
}

/* Try the file that the setting names; without a slash the loader would look
 * for it elsewhere. */
static void try_named(search *s, const char *named)
{
    char *path = realpath(named, NULL);
    if (!path)
        snprintf(s->fault, sizeof s->fault, "DT_MPI_PLUGIN names %s: %s", named,
                 strerror(errno));
    else
        try_file(s, path);
    free(path);
}

static void look_everywhere(search *s)
{
    const char *named = secure_getenv("DT_MPI_PLUGIN");
    if (named && *named)
        try_named(s, named);
    else if (!try_beside_library(s))
        (void)try_folder(s, DTI_PLUGIN_FOLDER, "");
}

/* ---- Loading ------------------------------------------------------------ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The search, done once per process: it ends with a plug-in or with none. */
static const search *look_once(const char *library)
{
    static search done;
    pthread_mutex_lock(&lock);
    if (!done.library) {
        done.library = library;
        look_everywhere(&done);
    }
    pthread_mutex_unlock(&lock);
    return &done;
}

static dt_status load(const dt_transport **out, dt_error *error)
{
    int ranks = 1;
    const char *launcher = launched_by(&ranks);
    const char *library = given.library ? given.library
                          : launcher    ? launcher
                                        : DEFAULT_LIBRARY;
    const search *s = look_once(library);
    if (strcmp(s->library, library) != 0)
        return dti_error_set(error, DT_ERR_UNSUPPORTED,
                             "this process already uses the MPI library %s and "
                             "cannot use %s too",
                             s->library, library);
    if (s->found) {
        *out = s->found;
        return DT_OK;
    }
    if (s->fault[0])
        return dti_error_set(error, DT_ERR_COMM,
                             "the MPI plug-in cannot be used: %s", s->fault);
    return dti_error_set(
        error, DT_ERR_NOT_FOUND,
        "%s, which needs the plug-in libdtensor-mpi-%s.so; it was not found "
        "next to the library (dtensor/, ../lib/dtensor/) or in %s, and "
        "DT_MPI_PLUGIN is not set: %s",
        launcher ? "MPI started this program" : "the transport is mpi", library,
        DTI_PLUGIN_FOLDER,
        strcmp(library, DEFAULT_LIBRARY) == 0
            ? "build dtensor where Open MPI is installed"
            : "dtensor has one for Open MPI, start the program with its "
              "mpirun");
}

bool dti_mpi_launched(void)
{
    int ranks = 1;
    const char *library = launched_by(&ranks);
    return library && (ranks > 1 || look_once(library)->found);
}

const dt_transport dti_transport_mpi = {
    .name = "mpi",
    .summary = "ranks are processes that MPI started, by `mpirun`",
    .moves_data = true,
    .load = load,
};
