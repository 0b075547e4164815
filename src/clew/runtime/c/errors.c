/* err.h: messages on the standard error stream, and the end of the program. */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No string literals in a call: their names in LLVM's code would be those of the program's own. */
static const char __clew_start[] = "program: ", __clew_reason[] = "%s\n", __clew_colon[] = ": ", __clew_end[] = "\n";

static void __clew_message(const char *format, va_list rest)
{
    fputs(__clew_start, stderr);
    if (format)
        vfprintf(stderr, format, rest);
}

void vwarnx(const char *format, va_list rest)
{
    __clew_message(format, rest);
    fputs(__clew_end, stderr);
}

void vwarn(const char *format, va_list rest)
{
    int number = errno;
    __clew_message(format, rest);
    if (format)
        fputs(__clew_colon, stderr);
    fprintf(stderr, __clew_reason, strerror(number));
}

void verrx(int code, const char *format, va_list rest)
{
    vwarnx(format, rest);
    exit(code);
}

void verr(int code, const char *format, va_list rest)
{
    vwarn(format, rest);
    exit(code);
}

void warnx(const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    vwarnx(format, rest);
    va_end(rest);
}

void warn(const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    vwarn(format, rest);
    va_end(rest);
}

void errx(int code, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    verrx(code, format, rest);
}

void err(int code, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    verr(code, format, rest);
}
