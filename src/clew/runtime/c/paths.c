/* libgen.h and string.h: the parts of a path. As the GNU library does it, a path is cut where it stands. */

static char __clew_here[] = ".";

/* The number of characters without the slashes at the end. */
static unsigned long __clew_trimmed(const char *path, unsigned long length)
{
    while (length && path[length - 1] == '/')
        length--;
    return length;
}

/* The number of characters up to the last slash, that one included; 0 if there is none. */
static unsigned long __clew_folder(const char *path, unsigned long length)
{
    while (length && path[length - 1] != '/')
        length--;
    return length;
}

static unsigned long __clew_length(const char *path)
{
    unsigned long length = 0;
    while (path[length])
        length++;
    return length;
}

/* That of string.h, which leaves the path alone. */
char *basename(const char *path)
{
    return (char *)path + __clew_folder(path, __clew_length(path));
}

/* That of libgen.h. */
char *__xpg_basename(char *path)
{
    unsigned long length = path ? __clew_length(path) : 0, kept;
    if (!length)
        return __clew_here;
    kept = __clew_trimmed(path, length);
    if (!kept)
        return path + length - 1; /* nothing but slashes */
    if (kept < length)
        path[kept] = 0;
    return path + __clew_folder(path, kept);
}

char *dirname(char *path)
{
    unsigned long length = path ? __clew_length(path) : 0, kept;
    kept = length ? __clew_folder(path, __clew_trimmed(path, length)) : 0;
    if (!kept && (!length || path[0] != '/'))
        return __clew_here;
    kept = __clew_trimmed(path, kept ? kept : length);
    if (!kept) /* below the root; two slashes, no more, may mean something else */
        kept = path[1] == '/' && path[2] != '/' ? 2 : 1;
    path[kept] = 0;
    return path;
}
