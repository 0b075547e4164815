/* stdio.h: places in files, as values that only the same functions can read. */

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

static int __clew_place(FILE *stream, void *into, size_t size)
{
    long long place = ftello(stream);
    if (place < 0)
        return -1;
    memset(into, 0, size);
    memcpy(into, &place, sizeof place);
    return 0;
}

static int __clew_go(FILE *stream, const void *from)
{
    long long place;
    memcpy(&place, from, sizeof place);
    return fseeko(stream, place, SEEK_SET);
}

int fgetpos(FILE *restrict stream, fpos_t *restrict into) { return __clew_place(stream, into, sizeof *into); }
int fsetpos(FILE *stream, const fpos_t *from) { return __clew_go(stream, from); }

#ifdef __GLIBC__
int fgetpos64(FILE *restrict stream, fpos64_t *restrict into) { return __clew_place(stream, into, sizeof *into); }
int fsetpos64(FILE *stream, const fpos64_t *from) { return __clew_go(stream, from); }
#endif
