/* dirent.h: a directory holds itself, its parent, and a few entries whose names are inputs (of a model in Python). */

#define _GNU_SOURCE
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

extern int __clew_directory(const char *name);           /* how many entries it has; -1, and errno says why */
extern void __clew_entry(int directory, int place, char *name);

enum { OWN = 2 };

struct __dirstream {
    int number, place, count;
    struct dirent entry;
#ifdef __GLIBC__
    struct dirent64 large;
#endif
};
static int __clew_directories;

DIR *opendir(const char *name)
{
    int count = __clew_directory(name);
    if (count < 0)
        return 0;
    DIR *made = calloc(1, sizeof *made);
    if (made) {
        made->number = __clew_directories++;
        made->count = count;
    }
    return made;
}

/* What both kinds of entries are filled with; the function returns 0 behind the last one. */
#define NEXT(directory, entry)                                                  \
    do {                                                                        \
        int place = directory->place;                                           \
        if (place == directory->count + OWN)                                    \
            return 0;                                                           \
        directory->place++;                                                     \
        memset(entry, 0, sizeof *entry);                                        \
        entry->d_ino = place + 1;                                               \
        entry->d_reclen = sizeof *entry;                                        \
        entry->d_off = place + 1;                                               \
        entry->d_type = place < OWN ? DT_DIR : DT_UNKNOWN;                      \
        if (place < OWN) {                                                      \
            entry->d_name[0] = '.';                                             \
            entry->d_name[1] = place ? '.' : 0;                                 \
        } else                                                                  \
            __clew_entry(directory->number, place - OWN, entry->d_name);        \
        return entry;                                                           \
    } while (0)

struct dirent *readdir(DIR *directory)
{
    struct dirent *entry = &directory->entry;
    NEXT(directory, entry);
}

#ifdef __GLIBC__
struct dirent64 *readdir64(DIR *directory)
{
    struct dirent64 *entry = &directory->large;
    NEXT(directory, entry);
}
#endif

void rewinddir(DIR *directory) { directory->place = 0; }
long telldir(DIR *directory) { return directory->place; }
void seekdir(DIR *directory, long place) { directory->place = place; }

int closedir(DIR *directory)
{
    free(directory);
    return 0;
}
