/* locale.h: there is one locale, that of C. */

static char __clew_locale[] = "C";
static const char __clew_posix[] = "POSIX";

/* It can be asked for by no name, by its own, and by the name that POSIX has for it. */
char *setlocale(int category, const char *name)
{
    int place = 0;
    if (!name || !name[0] || (name[0] == 'C' && !name[1]))
        return __clew_locale;
    while (__clew_posix[place] && name[place] == __clew_posix[place])
        place++;
    return __clew_posix[place] == name[place] ? __clew_locale : 0;
}
