/* sys/stat.h: what a file is. Its fields come from a model in Python; it knows no links. */

#define _GNU_SOURCE
#include <string.h>
#include <sys/stat.h>

enum { MODE, SIZE, TIME, USER, GROUP, INODE, FIELDS };

extern int __clew_file_state(const char *name, long long *fields);         /* -1, and errno says why */
extern int __clew_descriptor_state(int number, long long *fields);

/* What has to do with a file's length is there twice: programs may be compiled for large files. */
#define FILE_STATES(suffix)                                                                                      \
    static int __clew_filled##suffix(int result, const long long *fields, struct stat##suffix *into)             \
    {                                                                                                            \
        if (result)                                                                                              \
            return -1;                                                                                           \
        memset(into, 0, sizeof *into);                                                                           \
        into->st_mode = fields[MODE];                                                                            \
        into->st_size = fields[SIZE];                                                                            \
        into->st_blocks = (fields[SIZE] + 511) / 512;                                                            \
        into->st_blksize = 4096;                                                                                 \
        into->st_nlink = 1;                                                                                      \
        into->st_dev = 1;                                                                                        \
        into->st_ino = fields[INODE];                                                                            \
        into->st_uid = fields[USER];                                                                             \
        into->st_gid = fields[GROUP];                                                                            \
        into->st_atime = into->st_mtime = into->st_ctime = fields[TIME];                                         \
        return 0;                                                                                                \
    }                                                                                                            \
    int stat##suffix(const char *restrict name, struct stat##suffix *restrict into)                              \
    {                                                                                                            \
        long long fields[FIELDS];                                                                                \
        return __clew_filled##suffix(__clew_file_state(name, fields), fields, into);                             \
    }                                                                                                            \
    int lstat##suffix(const char *restrict name, struct stat##suffix *restrict into)                             \
    {                                                                                                            \
        return stat##suffix(name, into);                                                                         \
    }                                                                                                            \
    int fstat##suffix(int number, struct stat##suffix *into)                                                     \
    {                                                                                                            \
        long long fields[FIELDS];                                                                                \
        return __clew_filled##suffix(__clew_descriptor_state(number, fields), fields, into);                     \
    }                                                                                                            \
    int __xstat##suffix(int version, const char *name, struct stat##suffix *into)                                \
    {                                                                                                            \
        return stat##suffix(name, into);                                                                         \
    }                                                                                                            \
    int __lxstat##suffix(int version, const char *name, struct stat##suffix *into)                               \
    {                                                                                                            \
        return stat##suffix(name, into);                                                                         \
    }                                                                                                            \
    int __fxstat##suffix(int version, int number, struct stat##suffix *into)                                     \
    {                                                                                                            \
        return fstat##suffix(number, into);                                                                      \
    }

FILE_STATES()
#ifdef __GLIBC__
FILE_STATES(64)
#endif

static mode_t __clew_mask = 022;

mode_t umask(mode_t mask)
{
    mode_t old = __clew_mask;
    __clew_mask = mask & 0777;
    return old;
}
