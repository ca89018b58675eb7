/* Preloaded into PostgreSQL: each flush of a file to the disk takes longer by the number of milliseconds that is in the
   file SLOW_DISK_FILE, read anew each time. A flush cannot be interrupted, as on a real disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <time.h>

static void wait_for_the_disk(void) {
    const int error = errno;
    const char *name = getenv("SLOW_DISK_FILE");
    FILE *file = name ? fopen(name, "re") : NULL;
    long milliseconds = 0;
    if (file) {
        if (fscanf(file, "%ld", &milliseconds) != 1) milliseconds = 0;
        fclose(file);
    }
    struct timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&left, &left) && errno == EINTR) {}
    errno = error;
}

int fsync(int fd) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    wait_for_the_disk();
    return real(fd);
}

int fdatasync(int fd) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    wait_for_the_disk();
    return real(fd);
}
