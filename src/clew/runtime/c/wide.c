/* wchar.h, wctype.h, and what stdlib.h has for wide characters. In the locale "C" these are the characters up to 127, in
   text of bytes as well; others are EILSEQ. Formats and numerals are those of narrow text. */

#define _XOPEN_SOURCE 700
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#undef wmemchr
#undef wcschr
#undef wcsrchr
#undef wcsstr
#undef wcspbrk

int vasprintf(char **text, const char *form, va_list list);

#define ILLEGAL (errno = EILSEQ, (size_t)-1)

size_t wcslen(const wchar_t *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t wcsnlen(const wchar_t *s, size_t most)
{
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n) { return memcpy(to, from, n * sizeof *to); }
wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n) { return wmemcpy(to, from, n) + n; }
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) { return memmove(to, from, n * sizeof *to); }

wchar_t *wmemset(wchar_t *s, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        s[i] = c;
    return s;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] == c)
            return (wchar_t *)s + i;
    return 0;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from) { return wmemcpy(to, from, wcslen(from) + 1); }
wchar_t *wcpcpy(wchar_t *to, const wchar_t *from) { return wcscpy(to, from) + wcslen(from); }

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n)
{
    size_t length = wcsnlen(from, n);
    wmemcpy(to, from, length);
    wmemset(to + length, 0, n - length);
    return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from)
{
    wcscpy(to + wcslen(to), from);
    return to;
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t n)
{
    size_t length = wcsnlen(from, n), old = wcslen(to);
    wmemcpy(to + old, from, length);
    to[old + length] = 0;
    return to;
}

wchar_t *wcsdup(const wchar_t *s)
{
    size_t n = wcslen(s) + 1;
    wchar_t *copy = malloc(n * sizeof *s);
    return copy ? wmemcpy(copy, s, n) : 0;
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i] || !a[i])
            return a[i] == b[i] ? 0 : a[i] < b[i] ? -1 : 1;
    return 0;
}

int wcscmp(const wchar_t *a, const wchar_t *b) { return wcsncmp(a, b, (size_t)-1); }
int wcscoll(const wchar_t *a, const wchar_t *b) { return wcscmp(a, b); }

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int difference = (int)towlower(a[i]) - (int)towlower(b[i]);
        if (difference || !a[i])
            return difference;
    }
    return 0;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b) { return wcsncasecmp(a, b, (size_t)-1); }

wchar_t *wcschr(const wchar_t *s, wchar_t c) { return wmemchr(s, c, wcslen(s) + 1); }

wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
    for (size_t i = wcslen(s) + 1; i-- > 0;)
        if (s[i] == c)
            return (wchar_t *)s + i;
    return 0;
}

wchar_t *wcsstr(const wchar_t *s, const wchar_t *part)
{
    size_t n = wcslen(part);
    for (;; s++) {
        if (!wcsncmp(s, part, n))
            return (wchar_t *)s;
        if (!*s)
            return 0;
    }
}

size_t wcsspn(const wchar_t *s, const wchar_t *set)
{
    size_t n = 0;
    while (s[n] && wcschr(set, s[n]))
        n++;
    return n;
}

size_t wcscspn(const wchar_t *s, const wchar_t *set)
{
    size_t n = 0;
    while (s[n] && !wcschr(set, s[n]))
        n++;
    return n;
}

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set)
{
    s += wcscspn(s, set);
    return *s ? (wchar_t *)s : 0;
}

wchar_t *wcstok(wchar_t *s, const wchar_t *set, wchar_t **rest)
{
    if (!s)
        s = *rest;
    if (!s)
        return 0;
    s += wcsspn(s, set);
    if (!*s) {
        *rest = 0;
        return 0;
    }
    wchar_t *end = s + wcscspn(s, set);
    *rest = *end ? end + 1 : 0;
    *end = 0;
    return s;
}

/* Bytes and wide characters. */

wint_t btowc(int c) { return c >= 0 && c < 128 ? (wint_t)c : WEOF; }
int wctob(wint_t c) { return c < 128 ? (int)c : EOF; }
int mbsinit(const mbstate_t *state) { return 1; }

size_t mbrtowc(wchar_t *to, const char *from, size_t n, mbstate_t *state)
{
    if (!from)
        return 0;
    if (!n)
        return (size_t)-2;
    unsigned char c = (unsigned char)*from;
    if (c > 127)
        return ILLEGAL;
    if (to)
        *to = c;
    return c != 0;
}

size_t mbrlen(const char *from, size_t n, mbstate_t *state) { return mbrtowc(0, from, n, state); }

int mbtowc(wchar_t *to, const char *from, size_t n)
{
    size_t used = mbrtowc(to, from, n, 0);
    return used <= 1 ? (int)used : -1;
}

int mblen(const char *from, size_t n) { return mbtowc(0, from, n); }

size_t wcrtomb(char *to, wchar_t c, mbstate_t *state)
{
    if (!to)
        return 1;
    if ((unsigned)c > 127)
        return ILLEGAL;
    *to = (char)c;
    return 1;
}

int wctomb(char *to, wchar_t c) { return to ? (int)wcrtomb(to, c, 0) : 0; }

size_t mbsrtowcs(wchar_t *to, const char **from, size_t n, mbstate_t *state)
{
    const unsigned char *s = (const unsigned char *)*from;
    for (size_t i = 0; !to || i < n; i++) {
        if (s[i] > 127) {
            if (to)
                *from = (const char *)s + i;
            return ILLEGAL;
        }
        if (to)
            to[i] = s[i];
        if (!s[i]) {
            if (to)
                *from = 0;
            return i;
        }
    }
    *from = (const char *)s + n;
    return n;
}

size_t mbstowcs(wchar_t *to, const char *from, size_t n) { return mbsrtowcs(to, &from, n, 0); }

size_t wcsrtombs(char *to, const wchar_t **from, size_t n, mbstate_t *state)
{
    const wchar_t *s = *from;
    for (size_t i = 0; !to || i < n; i++) {
        if ((unsigned)s[i] > 127) {
            if (to)
                *from = s + i;
            return ILLEGAL;
        }
        if (to)
            to[i] = (char)s[i];
        if (!s[i]) {
            if (to)
                *from = 0;
            return i;
        }
    }
    *from = s + n;
    return n;
}

size_t wcstombs(char *to, const wchar_t *from, size_t n) { return wcsrtombs(to, &from, n, 0); }

/* Classes. */

#define CLASS(name) int isw##name(wint_t c) { return c < 128 && is##name((int)c); }
CLASS(alnum) CLASS(alpha) CLASS(blank) CLASS(cntrl) CLASS(digit) CLASS(graph) CLASS(lower) CLASS(print) CLASS(punct)
CLASS(space) CLASS(upper) CLASS(xdigit)
wint_t towlower(wint_t c) { return c < 128 ? (wint_t)tolower((int)c) : c; }
wint_t towupper(wint_t c) { return c < 128 ? (wint_t)toupper((int)c) : c; }

/* Numerals: what begins a narrow string. */

static size_t __clew_ascii(const wchar_t *s)
{
    size_t n = 0;
    while (s[n] > 0 && s[n] < 128)
        n++;
    return n;
}

#define NARROW(name, s) \
    size_t name##_length = __clew_ascii(s); \
    char name[name##_length + 1]; \
    for (size_t i = 0; i < name##_length; i++) \
        name[i] = (char)(s)[i]; \
    name[name##_length] = 0

#define NUMERAL(type, name, narrow, parameters, arguments) \
    type name parameters \
    { \
        NARROW(text, s); \
        char *stop; \
        type value = narrow arguments; \
        if (end) \
            *end = (wchar_t *)s + (stop - text); \
        return value; \
    }
NUMERAL(long, wcstol, strtol, (const wchar_t *s, wchar_t **end, int base), (text, &stop, base))
NUMERAL(long long, wcstoll, strtoll, (const wchar_t *s, wchar_t **end, int base), (text, &stop, base))
NUMERAL(unsigned long, wcstoul, strtoul, (const wchar_t *s, wchar_t **end, int base), (text, &stop, base))
NUMERAL(unsigned long long, wcstoull, strtoull, (const wchar_t *s, wchar_t **end, int base), (text, &stop, base))
NUMERAL(long, __isoc23_wcstol, strtol, (const wchar_t *s, wchar_t **end, int base), (text, &stop, base))
NUMERAL(long long, __isoc23_wcstoll, strtoll, (const wchar_t *s, wchar_t **end, int base), (text, &stop, base))
NUMERAL(unsigned long, __isoc23_wcstoul, strtoul, (const wchar_t *s, wchar_t **end, int base), (text, &stop, base))
NUMERAL(unsigned long long, __isoc23_wcstoull, strtoull, (const wchar_t *s, wchar_t **end, int base), (text, &stop, base))
NUMERAL(double, wcstod, strtod, (const wchar_t *s, wchar_t **end), (text, &stop))
NUMERAL(float, wcstof, strtof, (const wchar_t *s, wchar_t **end), (text, &stop))
NUMERAL(long double, wcstold, strtold, (const wchar_t *s, wchar_t **end), (text, &stop))

/* Streams: a wide character is a byte there. */

wint_t fputwc(wchar_t c, FILE *stream) { return (unsigned)c > 127 ? (errno = EILSEQ, WEOF) : (wint_t)fputc(c, stream); }
wint_t putwc(wchar_t c, FILE *stream) { return fputwc(c, stream); }
wint_t putwchar(wchar_t c) { return fputwc(c, stdout); }

int fputws(const wchar_t *s, FILE *stream)
{
    for (; *s; s++)
        if (fputwc(*s, stream) == WEOF)
            return -1;
    return 1;
}

wint_t fgetwc(FILE *stream)
{
    int c = fgetc(stream);
    return c > 127 ? (errno = EILSEQ, WEOF) : c < 0 ? WEOF : (wint_t)c;
}

wint_t getwc(FILE *stream) { return fgetwc(stream); }
wint_t getwchar(void) { return fgetwc(stdin); }
wint_t ungetwc(wint_t c, FILE *stream) { return c == WEOF ? WEOF : (wint_t)ungetc((int)c, stream); }
int fwide(FILE *stream, int mode) { return mode; }

wchar_t *fgetws(wchar_t *s, int n, FILE *stream)
{
    int i = 0;
    while (i < n - 1) {
        wint_t c = fgetwc(stream);
        if (c == WEOF)
            break;
        s[i++] = (wchar_t)c;
        if (c == L'\n')
            break;
    }
    if (n < 1 || (i == 0 && n > 1))
        return 0;
    s[i] = 0;
    return s;
}

int vfwprintf(FILE *stream, const wchar_t *form, va_list list)
{
    NARROW(narrow, form);
    return vfprintf(stream, narrow, list);
}

int vswprintf(wchar_t *s, size_t n, const wchar_t *form, va_list list)
{
    NARROW(narrow, form);
    char *text;
    int count = vasprintf(&text, narrow, list);
    if (count >= 0 && (size_t)count < n)
        mbstowcs(s, text, n);
    else if (n)
        s[0] = 0;
    free(text);
    return count >= 0 && (size_t)count < n ? count : -1;
}

int vwprintf(const wchar_t *form, va_list list) { return vfwprintf(stdout, form, list); }

#define PRINTS(name, last, parameters, call) \
    int name parameters \
    { \
        va_list list; \
        va_start(list, last); \
        int count = call; \
        va_end(list); \
        return count; \
    }
PRINTS(wprintf, form, (const wchar_t *form, ...), vfwprintf(stdout, form, list))
PRINTS(fwprintf, form, (FILE *stream, const wchar_t *form, ...), vfwprintf(stream, form, list))
PRINTS(swprintf, form, (wchar_t *s, size_t n, const wchar_t *form, ...), vswprintf(s, n, form, list))

/* Columns on a screen. */
int wcwidth(wchar_t c) { return !c ? 0 : iswprint(c) ? 1 : -1; }

int wcswidth(const wchar_t *s, size_t n)
{
    int columns = 0;
    for (size_t i = 0; i < n && s[i]; i++) {
        if (!iswprint(s[i]))
            return -1;
        columns++;
    }
    return columns;
}
