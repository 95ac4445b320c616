/* tests/unit/base/machine/file.c - files are replaced as a whole or not at all.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/file.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dtensor/array.h>

#include "support/check.h"

/* A folder of the test's own, which is the current one until it is left. */
typedef struct place {
    char name[64];
    int before;
} place;

static place enter(void)
{
    place at = {.before = open(".", O_RDONLY | O_DIRECTORY)};
    snprintf(at.name, sizeof at.name, "/tmp/dtensor-file-XXXXXX");
    CHECK(mkdtemp(at.name) && chdir(at.name) == 0);
    return at;
}

/* How many files there are; all are removed if `clear`. */
static int count_files(bool clear)
{
    DIR *folder = opendir(".");
    int count = 0;
    for (struct dirent *one; folder && (one = readdir(folder));) {
        if (strcmp(one->d_name, ".") == 0 || strcmp(one->d_name, "..") == 0)
            continue;
        count++;
        if (clear)
            unlink(one->d_name);
    }
    closedir(folder);
    return count;
}

static void leave(const place *at)
{
    count_files(true);
    CHECK(fchdir(at->before) == 0 && rmdir(at->name) == 0);
    close(at->before);
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void check_text(const char *path, const char *wanted)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    if (!CHECKF(file != NULL, "%s is missing", path))
        return;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CHECK_TEXT(text, wanted);
}

/* Write a text by the library. */
static dt_status save(const char *path, const char *text, dt_error *error)
{
    dt_file *file = NULL;
    const dt_status status = dt_file_create(path, &file, error);
    if (status != DT_OK)
        return status;
    DT_IGNORE(dt_file_write(file, text, strlen(text)));
    return dt_file_commit(file, error);
}

static void check_saved(const char *path)
{
    dt_error error = {DT_OK, ""};
    CHECK_ERROR(&error, save(path, "new", &error), DT_OK, NULL);
}

static unsigned mode_of(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 ? found.st_mode & 07777 : 0;
}

static void replaces(dt_world *world)
{
    (void)world;
    const place at = enter();
    const mode_t mask = umask(027);
    check_saved("a");
    check_text("a", "new");
    CHECK_INT(mode_of("a"), 0640);
    put("b", "old");
    CHECK(chmod("b", 0604) == 0);
    dt_file *file = NULL;
    dt_error error = {DT_OK, ""};
    CHECK_ERROR(&error, dt_file_create("b", &file, &error), DT_OK, NULL);
    FILE *stream = dt_file_stream(file);
    CHECK(stream && fprintf(stream, "n%s", "ew") == 3);
    check_text("b", "old"); /* until it is complete */
    CHECK_ERROR(&error, dt_file_commit(file, &error), DT_OK, NULL);
    check_text("b", "new");
    CHECK_INT(mode_of("b"), 0604);
    umask(mask);
    CHECK_INT(count_files(false), 2);
    leave(&at);
}

static void does_not_follow_links(dt_world *world)
{
    (void)world;
    struct stat found;
    const place at = enter();
    put("target", "old");
    CHECK(symlink("target", "link") == 0 && symlink("nowhere", "lost") == 0);
    check_saved("link");
    check_saved("lost");
    check_text("target", "old");
    CHECK(lstat("link", &found) == 0 && S_ISREG(found.st_mode));
    CHECK(lstat("lost", &found) == 0 && S_ISREG(found.st_mode));
    CHECK(access("nowhere", F_OK) != 0);
    leave(&at);
}

static void writes_pipes_directly(dt_world *world)
{
    (void)world;
    char text[8] = "", path[32];
    const place at = enter();
    CHECK(mkfifo("pipe", 0600) == 0);
    const int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    check_saved("pipe");
    CHECK_INT(read(reader, text, sizeof text), 3);
    close(reader);
    check_saved("/dev/null");
    CHECK_INT(count_files(false), 1);
    /* As /dev/stdout: what a descriptor names, even a regular file. */
    const int file = open("file", O_RDWR | O_CREAT, 0600);
    snprintf(path, sizeof path, "/dev/fd/%d", file);
    check_saved(path);
    CHECK_INT(pread(file, text, sizeof text, 0), 3);
    close(file);
    leave(&at);
}

static void says_what_went_wrong(dt_world *world)
{
    (void)world;
    dt_error error = {DT_OK, ""};
    const place at = enter();
    CHECK_ERROR(&error, save("no/where", "new", &error), DT_ERR_IO,
                "no/where: No such file");
    CHECK_ERROR(&error, save(".", "new", &error), DT_ERR_IO, "Is a directory");
    CHECK_ERROR(&error, save(NULL, "new", &error), DT_ERR_INVALID,
                "the path is empty");
    dt_file *file = NULL;
    CHECK_ERROR(&error, dt_file_create("a", &file, &error), DT_OK, NULL);
    dt_file_abandon(file);
    dt_file_abandon(NULL);
    CHECK_INT(count_files(false), 0);
    leave(&at);
}

/* Save an array in a process that may write 64 KiB; gives how it ended. */
static int save_in_little_room(dt_world *world, const dt_array *array,
                               bool survives)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit none = {0, 0}, small = {1 << 16, 1 << 16};
        setrlimit(RLIMIT_CORE, &none);
        setrlimit(RLIMIT_FSIZE, &small);
        signal(SIGXFSZ, survives ? SIG_IGN : SIG_DFL);
        const dt_status saved = dt_array_save_npy(world, array, "a.npy");
        const char *message = dt_world_error(world)->message;
        _exit(saved == DT_ERR_IO && strstr(message, "File too large") ? 0 : 1);
    }
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

/* A full disk leaves nothing; a process that is killed leaves what was there.
 */
static void keeps_what_was_there(dt_world *world)
{
    dt_array *array = NULL;
    const place at = enter();
    put("a.npy", "old");
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(1 << 16), &array));
    CHECK_OK(world, dt_array_fill(world, array, 1));
    int status = save_in_little_room(world, array, true);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    check_text("a.npy", "old");
    CHECK_INT(count_files(false), 1);
    status = save_in_little_room(world, array, false);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
    check_text("a.npy", "old");
    dt_array_release(array);
    leave(&at);
}

/* ---- Processes that are killed ------------------------------------------- */

/* Begin to write `a` in another process, which goes on when `go` can be read
 * and is killed if it reads 'k'. */
static pid_t write_elsewhere(int go, int begun)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    dt_file *file = NULL;
    char what = 'k';
    if (dt_file_create("a", &file, NULL) != DT_OK ||
        dt_file_write(file, "theirs", 6) != DT_OK || write(begun, "b", 1) != 1)
        _exit(2);
    if (read(go, &what, 1) == 1 && what == 'k')
        kill(getpid(), SIGKILL);
    _exit(dt_file_commit(file, NULL) == DT_OK ? 0 : 1);
}

/* Begin a write in another process, save `a`, and let the process commit ('c')
 * or be killed ('k') before that or after it. */
static void save_while_another_writes(char what, bool before, int files)
{
    int go[2], begun[2], status = 0;
    char ready;
    CHECK(pipe(go) == 0 && pipe(begun) == 0);
    const pid_t child = write_elsewhere(go[0], begun[1]);
    CHECK(read(begun[0], &ready, 1) == 1);
    CHECK_INT(count_files(false), 2);
    if (!before)
        check_saved("a");
    CHECK_INT(count_files(false), 2);
    CHECK(write(go[1], &what, 1) == 1);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(what == 'k' ? WIFSIGNALED(status)
                      : WIFEXITED(status) && WEXITSTATUS(status) == 0);
    if (before)
        check_saved("a");
    CHECK_INT(count_files(false), files);
    for (int i = 0; i < 2; i++) {
        close(go[i]);
        close(begun[i]);
    }
}

static void removes_what_was_left(dt_world *world)
{
    (void)world;
    const place at = enter();
    put("a", "old");
    save_while_another_writes('k', true, 1);
    check_text("a", "new");
    /* A living writer loses nothing. */
    save_while_another_writes('c', false, 1);
    check_text("a", "theirs");
    /* What is killed after that leaves a file until the next time. */
    save_while_another_writes('k', false, 2);
    check_saved("a");
    CHECK_INT(count_files(false), 1);
    leave(&at);
}

/* Names that somebody else has are left alone. */
static void leaves_other_files_alone(dt_world *world)
{
    (void)world;
    const place at = enter();
    put("other", "old");
    CHECK(symlink("other", "a.0.tmp") == 0);
    CHECK(mkfifo("a.1.tmp", 0600) == 0);
    CHECK(mkdir("a.2.tmp", 0700) == 0);
    put("a.3.tmp", "left");
    const bool foreign = geteuid() == 0 && chown("a.3.tmp", 12345, -1) == 0;
    check_saved("a");
    check_text("a", "new");
    check_text("other", "old");
    CHECK_INT(count_files(false), foreign ? 6 : 5);
    rmdir("a.2.tmp");
    leave(&at);
}

/* Save `a` again and again, until killed or failing. */
static pid_t save_for_ever(void)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    for (;;)
        if (save("a", "new", NULL) != DT_OK)
            _exit(1);
}

/* Writers of one path get on with one another, and with those killed. */
static void survives_kills(dt_world *world)
{
    (void)world;
    enum { writers = 4 };
    const int kills = getenv("DT_TEST_FULL") ? 400 : 40;
    pid_t children[writers];
    const place at = enter();
    for (int i = 0; i < writers; i++)
        children[i] = save_for_ever();
    for (int i = 0; i < kills + writers; i++) {
        pid_t *child = &children[i % writers];
        int status = 0;
        usleep((useconds_t)(i * 37 % 1000));
        kill(*child, SIGKILL);
        CHECK(waitpid(*child, &status, 0) == *child && WIFSIGNALED(status));
        if (i < kills)
            *child = save_for_ever();
    }
    check_saved("a");
    check_text("a", "new");
    CHECK_INT(count_files(false), 1);
    leave(&at);
}

const dt_test dt_tests[] = {
    {"a file gets its name when it is complete", replaces},
    {"links are replaced, not followed", does_not_follow_links},
    {"pipes and descriptors are written directly", writes_pipes_directly},
    {"failures are named and leave nothing", says_what_went_wrong},
    {"a full disk or a killed process leaves the old file",
     keeps_what_was_there},
    {"what a killed process left is removed", removes_what_was_left},
    {"files of others are left alone", leaves_other_files_alone},
    {"writers of one path survive kills", survives_kills},
    {0},
};
