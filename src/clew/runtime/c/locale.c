/* locale.h and langinfo.h: there is one locale, that of C. */

#define _GNU_SOURCE
#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>

static char __clew_locale[] = "C";
static const char __clew_posix[] = "POSIX";
static char __clew_empty[] = "", __clew_point[] = ".", __clew_codeset[] = "ANSI_X3.4-1968", __clew_yes[] = "^[yY]",
            __clew_no[] = "^[nN]", __clew_crncy[] = "-";
static struct lconv __clew_conventions;

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

struct lconv *localeconv(void)
{
    struct lconv *c = &__clew_conventions;
    c->decimal_point = __clew_point;
    c->thousands_sep = c->grouping = c->int_curr_symbol = c->currency_symbol = c->mon_decimal_point = __clew_empty;
    c->mon_thousands_sep = c->mon_grouping = c->positive_sign = c->negative_sign = __clew_empty;
    c->int_frac_digits = c->frac_digits = c->p_cs_precedes = c->p_sep_by_space = c->n_cs_precedes = CHAR_MAX;
    c->n_sep_by_space = c->p_sign_posn = c->n_sign_posn = CHAR_MAX;
    c->int_p_cs_precedes = c->int_p_sep_by_space = c->int_n_cs_precedes = c->int_n_sep_by_space = CHAR_MAX;
    c->int_p_sign_posn = c->int_n_sign_posn = CHAR_MAX;
    return c;
}

char *nl_langinfo(nl_item item)
{
    switch (item) {
        case CODESET: return __clew_codeset;
        case RADIXCHAR: return __clew_point;
        case YESEXPR: return __clew_yes;
        case NOEXPR: return __clew_no;
        case CRNCYSTR: return __clew_crncy;
        default: return __clew_empty;
    }
}

/* A locale is an object of its own, and as good as any other. */
static int __clew_object, __clew_current;

locale_t newlocale(int categories, const char *name, locale_t base)
{
    if (!name || (categories & ~(LC_ALL_MASK))) {
        errno = EINVAL;
        return 0;
    }
    if (!setlocale(LC_ALL, name)) {
        errno = ENOENT;
        return 0;
    }
    return base ? base : (locale_t)&__clew_object;
}

locale_t duplocale(locale_t locale) { return (locale_t)&__clew_object; }
void freelocale(locale_t locale) {}

locale_t uselocale(locale_t locale)
{
    locale_t old = __clew_current ? (locale_t)&__clew_object : LC_GLOBAL_LOCALE;
    if (locale)
        __clew_current = locale != LC_GLOBAL_LOCALE;
    return old;
}
