/* sys/stat.h: what a file is. Its fields come from a model in Python; it knows no links. */

#include <string.h>
#include <sys/stat.h>

enum { MODE, SIZE, TIME, USER, GROUP, INODE, FIELDS };

extern int __clew_file_state(const char *name, long long *fields);         /* -1, and errno says why */
extern int __clew_descriptor_state(int number, long long *fields);

static int __clew_filled(int result, const long long *fields, struct stat *into)
{
    if (result)
        return -1;
    memset(into, 0, sizeof *into);
    into->st_mode = fields[MODE];
    into->st_size = fields[SIZE];
    into->st_blocks = (fields[SIZE] + 511) / 512;
    into->st_blksize = 4096;
    into->st_nlink = 1;
    into->st_dev = 1;
    into->st_ino = fields[INODE];
    into->st_uid = fields[USER];
    into->st_gid = fields[GROUP];
    into->st_atime = into->st_mtime = into->st_ctime = fields[TIME];
    return 0;
}

int stat(const char *restrict name, struct stat *restrict into)
{
    long long fields[FIELDS];
    return __clew_filled(__clew_file_state(name, fields), fields, into);
}

int lstat(const char *restrict name, struct stat *restrict into) { return stat(name, into); }

int fstat(int number, struct stat *into)
{
    long long fields[FIELDS];
    return __clew_filled(__clew_descriptor_state(number, fields), fields, into);
}

int __xstat(int version, const char *name, struct stat *into) { return stat(name, into); }
int __lxstat(int version, const char *name, struct stat *into) { return stat(name, into); }
int __fxstat(int version, int number, struct stat *into) { return fstat(number, into); }

static mode_t __clew_mask = 022;

mode_t umask(mode_t mask)
{
    mode_t old = __clew_mask;
    __clew_mask = mask & 0777;
    return old;
}
