"""Programs that call every function of the C library that native runs have, on what they read: see ``native_runs``."""

from __future__ import annotations

from pathlib import Path
from random import Random

from oracle.native_runs import Compared, compare, compare_bytes, compare_stdin

_HEAD = r"""
#define _GNU_SOURCE
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
unsigned long long __VERIFIER_nondet_ulonglong(void);
static char a[24], b[24], c[64];
static long at(const char *base, const char *found) { return found ? found - base : -1; }
static int sign(int x) { return (x > 0) - (x < 0); }
static void fill(void) {
  for (int i = 0; i < 2; i++) {
    unsigned long long x = __VERIFIER_nondet_ulonglong(), y = __VERIFIER_nondet_ulonglong();
    memcpy(a + 8 * i, &x, 8);
    memcpy(b + 8 * i, &y, 8);
  }
}
"""

_STRINGS = r"""
size_t strlcpy(char *, const char *, size_t);
size_t strlcat(char *, const char *, size_t);
int main(void) {
  fill();
  int k = a[0] & 15;
  printf("%zu %zu %d %d %d %d %d\n", strlen(a), strnlen(b, k), sign(strcmp(a, b)), sign(strncmp(a, b, k)),
         sign(memcmp(a, b, k)), sign(strcasecmp(a, b)), sign(strncasecmp(a, b, k)));
  printf("%ld %ld %ld %ld %ld\n", at(a, strchr(a, b[1])), at(a, strrchr(a, b[0])), at(a, strstr(a, b + 14)),
         at(a, strpbrk(a, b)), at(a, memchr(a, b[2], 16)));
  printf("%ld %ld %ld %ld %ld %ld\n", at(a, index(a, b[3])), at(a, rindex(a, b[3])), at(a, strchrnul(a, b[4])),
         at(a, memrchr(a, b[5], 16)), at(a, memmem(a, 16, b + 3, 2)), at(a, strcasestr(a, b + 14)));
  printf("%zu %zu %d %d\n", strspn(a, b), strcspn(a, b), sign(bcmp(a, b, k)), sign(strcoll(a, b)));
  printf("%d %d %d\n", ffs(a[1]), ffsl(a[2]), ffsll(b[1]));
  strcpy(c, a);
  strncat(c, b, k);
  strcat(c, "!");
  puts(c);
  printf("%ld ", at(c, stpcpy(c, b)));
  strncpy(c, b, 20);
  printf("%ld %s ", at(c, stpncpy(c, a, k)), c);
  printf("%zu %s ", strlcpy(c, a, k), k ? c : "");
  printf("%zu %s\n", strlcat(c, b, 30), c);
  memset(c, 'x', 40);
  printf("%ld %.40s ", at(c, mempcpy(c, a, k)), c);
  memmove(c + 1, c, 30);
  bcopy(c + 2, c + 5, k);
  bzero(c + 20, 2);
  explicit_bzero(c + 30, 2);
  printf("%ld %s %s %s\n", at(c, memccpy(c, b, a[4], 16)), c, c + 22, c + 32);
  char *rest, *cell = strcpy(c, a);
  for (char *t = strtok(c, " 0a\t"); t; t = strtok(0, "-1b")) printf("[%s]", t);
  strcpy(c, b);
  for (char *t = strtok_r(c, " 0", &rest); t; t = strtok_r(0, " 1", &rest)) printf("<%s>", t);
  strcpy(c, a);
  while (cell) printf("{%s}", strsep(&cell, "0 c"));
  char *grown = realloc(strdup(a), 40), *part = strndup(b, k), *zeros = calloc(3, 5), *more = malloc(3);
  printf("%s %s %d\n", grown, part, zeros[14]);
  free(grown), free(part), free(zeros), free(more);
  return k;
}
"""

_NUMBERS = r"""
#include <errno.h>
#include <inttypes.h>
int main(void) {
  fill();
  int k = a[0] & 15;
  for (int i = 0; i < 16; i++) {
    int d = i & 1 ? (unsigned char)a[i] : a[i];
    printf("%d %d %d %d %d %d %d %d %d %d %d %d ", isupper(d), islower(d), isdigit(d), isspace(d), isalpha(d),
           isalnum(d), isxdigit(d), isgraph(d), isprint(d), ispunct(d), iscntrl(d), isblank(d));
    printf("%d %d %d %d,", tolower(d), toupper(d), isascii(d), toascii(d));
  }
  char *end;
  long n = strtol(a, &end, k == 1 ? 0 : k);
  printf("\n%ld %ld %d\n", n, at(a, end), errno == ERANGE);
  printf("%lu %ld ", strtoul(b, &end, 16), at(b, end));
  printf("%lld %llu %d %ld %lld\n", strtoll(b, &end, 0), strtoull(a, &end, 10), atoi(a), atol(b), atoll(b));
  printf("%g %ld %g %d\n", strtod(a, &end), at(a, end), atof(b), abs(k - 7));
  printf("%ld %lld %jd\n", labs(k - 9L), llabs(3LL - k), imaxabs((intmax_t)k - 5));
  int i = *(int *)(b + 4);
  long long l = *(long long *)(b + 8);
  printf("%d %5d %-7d| %07d %+d %x %#X %o %u %hhd %hd\n", i, i, i, i, i, i, i, i, i, i, i);
  printf("%lld %llu %llx %.3lld %zu %20lld|%-20llx|\n", l, l, l, l, (size_t)l, l, l);
  printf("%f %e %g %.2f %10.3g|%G %%\n", i / 8.0, i * 1e9, l / 3.0, i / 7.0, l * 1e-9, i * 1e-7);
  printf("[%s|%.3s|%-9s|%9s|%c]\n", a, a, a + 12, b + 12, a[3]);
  printf("%d %s ", snprintf(c, k + 1, "%s-%d", a, i), c);
  printf("%d %s\n", sprintf(c, "%.20s+%d", a, i), c);
  return k;
}
"""

_MATH = r"""
static void show(double x) { printf("%.12g ", x); }
int main(void) {
  fill();
  double x = *(int *)a / 65536.0, y = *(short *)(b + 4) / 256.0;
  float f = *(short *)(a + 8) / 16.0f, g = *(signed char *)(b + 9) / 4.0f;
  show(sin(x)), show(cos(x)), show(tan(x)), show(asin(x / 32769)), show(acos(x / 32769)), show(atan(x));
  show(sinh(y / 8)), show(cosh(y / 8)), show(tanh(y)), show(exp(y)), show(exp2(y)), show(log(fabs(x) + 1));
  show(log2(fabs(x) + 1)), show(log10(fabs(x) + 1)), show(sqrt(fabs(x))), show(cbrt(x)), show(floor(x)), show(ceil(x));
  show(trunc(x)), show(round(x)), show(rint(x)), show(nearbyint(x)), show(expm1(y / 8)), show(log1p(fabs(y)));
  show(pow(fabs(x), y / 64)), show(fmod(x, y + 0.5)), show(atan2(x, y)), show(hypot(x, y)), show(fmin(x, y));
  show(fmax(x, y)), show(copysign(x, y)), show(fdim(x, y)), show(remainder(x, y + 0.5));
  show(sinf(f)), show(cosf(f)), show(tanf(f)), show(asinf(f / 4096)), show(acosf(f / 4096)), show(atanf(f));
  show(sinhf(g / 8)), show(coshf(g / 8)), show(tanhf(g)), show(expf(g)), show(exp2f(g)), show(logf(fabsf(f) + 1));
  show(log2f(fabsf(f) + 1)), show(log10f(fabsf(f) + 1)), show(sqrtf(fabsf(f))), show(cbrtf(f)), show(floorf(f));
  show(ceilf(f)), show(truncf(f)), show(roundf(f)), show(rintf(f)), show(nearbyintf(f)), show(expm1f(g / 8));
  show(log1pf(fabsf(g))), show(powf(fabsf(f), g / 8)), show(fmodf(f, g + 0.5f)), show(atan2f(f, g)), show(hypotf(f, g));
  show(fminf(f, g)), show(fmaxf(f, g)), show(copysignf(f, g)), show(fdimf(f, g)), show(remainderf(f, g + 0.5f));
  show(difftime(*(int *)a, *(int *)b));
  return 0;
}
"""

_SCANNED = r"""
static int scanned(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int found = vsscanf(text, format, list);
  va_end(list);
  return found;
}
int main(void) {
  fill();
  int i = 1, j = 2, n = -1;
  unsigned u = 3;
  short h = 4;
  long l = 5;
  double d = 6;
  float f = 7;
  char w[24] = "w", x[24] = "x";
  printf("%d ", sscanf(a, "%d%n", &i, &n));
  printf("%d %d ", i, n);
  printf("%d ", sscanf(b, "%3d %u", &i, &u));
  printf("%d %u ", i, u);
  printf("%d ", sscanf(a, "%*d%5s %hd", w, &h));
  printf("%s %d ", w, h);
  printf("%d ", sscanf(b, "%[0-9a]%c", w, x));
  printf("%s %s ", w, x);
  printf("%d ", sscanf(a, "%2[^ ]%ld%%", w, &l));
  printf("%s %ld ", w, l);
  printf("%d ", scanned(b, "%o a%d", &u, &j));
  printf("%u %d\n", u, j);
  if (!strpbrk(a, "xeEnNiI")) {
    printf("%d ", sscanf(a, "%lf %f", &d, &f));
    printf("%g %g\n", d, f);
  }
  return 0;
}
"""

_WORLD = r"""
static jmp_buf place, inner;
static int depth, volatile_count;
static void leap(int n) {
  if (n) leap(n - 1);
  longjmp(place, depth);
}
static int nested(int n) {
  int found = setjmp(inner);
  if (found) return found * 10;
  if (n & 1) longjmp(inner, n);
  return n;
}
static void written(const char *format, ...) {
  char line[40];
  va_list list;
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
  va_start(list, format);
  vsprintf(line, format, list);
  va_end(list);
  va_start(list, format);
  vsnprintf(line, 5, format, list);
  va_end(list);
  va_start(list, format);
  vfprintf(stdout, format, list);
  va_end(list);
  puts(line);
}
int main(void) {
  fill();
  depth = a[0] & 7;
  volatile int rounds = 0;
  int back = setjmp(place);
  printf("%d %d ", back, rounds++);
  if (rounds < 3 + (a[1] & 1)) leap(depth);
  printf("%d %d ", nested(a[2] & 7), nested(a[3] & 3));
  srand(1), srandom(2), srand48(3);
  printf("%d %d %u\n", sleep(1), usleep(5), (unsigned)fflush(stdout));
  written("%d-%s|", depth, "text");
  fputs("line", stdout), fputc('x', stdout), putc('y', stdout), putchar('z');
  fwrite(a, 1, 4, stdout), fprintf(stdout, "%d", depth), fprintf(stderr, "away");
  setenv("ONE", a, 1), unsetenv("TWO");
  printf("%d %s %d\n", setenv("A=B", "", 1), getenv("ONE"), secure_getenv("TWO") == 0);
  return (int)write(1, "end\n", 4);
}
"""

_ASKED = r"""
int main(void) {
  unsigned seed = 3;
  struct timeval now;
  struct timespec later;
  printf("%d %ld %u %d\n", rand(), random(), arc4random(), rand_r(&seed));
  printf("%ld %ld %ld\n", lrand48(), (long)time(0), (long)clock());
  printf("%d %d\n", gettimeofday(&now, 0), clock_gettime(0, &later));
  printf("%ld %ld %ld %ld\n", (long)now.tv_sec, (long)now.tv_usec, (long)later.tv_sec, later.tv_nsec);
  char *home = getenv("HOME"), *again = getenv("HOME");
  printf("%s %d\n", home ? home : "none", home == again);
  return 0;
}
"""

_STDIN = r"""
int main(void) {
  char line[12] = "", block[6] = "", direct[4] = "";
  int n = 0, first = getchar(), second = fgetc(stdin), third = getc(stdin);
  printf("%d %d %d %d ", first, second, third, feof(stdin));
  printf("%d %d ", ungetc('q', stdin), getchar());
  printf("%d ", scanf("%3d", &n));
  printf("%d ", n);
  printf("%d ", fgets(line, sizeof line, stdin) != 0);
  printf("%s ", line);
  printf("%zu %s ", fread(block, 1, 5, stdin), block);
  printf("%d %d ", feof(stdin) != 0, ferror(stdin));
  clearerr(stdin);
  printf("%d ", feof(stdin));
  printf("%d %s\n", (int)read(0, direct, 3), direct);
  return 0;
}
"""

_FILES = r"""
#include <errno.h>
#include <fcntl.h>
static void told(const char *what, int number, const char *text) { printf("%s %d %s %d|", what, number, text, errno); }
int main(void) {
  char line[12] = "", block[64] = "", *grown = 0;
  size_t room = 0;
  int x = getchar(), y = fgetc(stdin);
  told("stdin", x + 2 * y, fgets(line, 7, stdin) ? line : "none");
  told("", feof(stdin), getline(&grown, &room, stdin) > 0 ? grown : "none");
  printf("%zu %d\n", room, fileno(stdin));
  FILE *f = fopen("blocks", "rb");
  if (!f) return told("missing", fopen("blocks", "r") != 0, ""), access("blocks", 0) + 3;
  x = fread(block, 2, 4, f);
  told("blocks", x, block);
  told("", feof(f), "");
  x = fread(block, 1, 20, f);
  told("more", x, block);
  x = fread(block, 1, 30, f);
  told("all", x, block);
  printf("%ld %d ", ftell(f), feof(f) + ferror(f));
  clearerr(f), rewind(f), setbuf(f, 0), setlinebuf(f), setvbuf(f, 0, _IONBF, 0);
  printf("%d %ld %d\n", fseek(f, -3, SEEK_END), ftell(f), getc(f));
  x = ungetc('u', f) + 1000 * fread(block, 3, 2, f);
  told("pushed", x, block);
  printf("%d %d %ld\n", fseek(f, 2, SEEK_SET), fseek(f, 1, SEEK_CUR), ftell(f));
  printf("%d %d %zd %s\n", fgetc(f), ungetc('v', f), getdelim(&grown, &room, 'x', f), grown);
  printf("%d %d\n", fclose(f), fopen("", "r") == 0);
  FILE *lines = fopen("lines", "r+");
  if (!lines) return told("lines", fopen("lines", "q") != 0, ""), 4;
  while (fgets(line, sizeof line, lines)) told("line", ftell(lines), line);
  printf("%d %d\n", feof(lines), fprintf(lines, "%d-%s", x, "end"));
  rewind(lines);
  while ((x = getc(lines)) != EOF) printf("%d ", x);
  int d = open("direct", O_RDONLY), wrong = open("never", O_RDONLY);
  if (d < 0) return told("direct", read(0, line, 3), line), isatty(0) + 5;
  memset(block, 0, sizeof block);
  x = read(d, block, 5);
  told("direct", x, block);
  x = read(d, block, 40);
  told("direct", x, block);
  printf("%d %d %d\n", (int)lseek(d, 1, SEEK_CUR), (int)lseek(d, -1, SEEK_SET), (int)lseek(d, 0, SEEK_END));
  lseek(d, 4, SEEK_SET);
  FILE *same = fdopen(d, "r");
  printf("%d %d %d %d", getc(same), scanf("%d", &y), y, fscanf(same, "%2d%5s", &y, line));
  told("", y, line);
  printf("%d %d %d\n", wrong < 0, close(d), close(d));
  return 0;
}
"""

_WRITTEN = r"""
#include <errno.h>
#include <fcntl.h>
static void show(const char *name) {
  FILE *f = fopen(name, "r");
  printf("%s:", name);
  if (!f) printf(" none %d", errno);
  for (int c; f && (c = getc(f)) != EOF;) printf(" %d", c);
  if (f) printf(" %ld %d\n", ftell(f), fclose(f));
}
int main(void) {
  fill();
  FILE *f = fopen("out", "w");
  fprintf(f, "%d %s", a[0], "words"), fputs("line\n", f), fputc(a[1], f), putc('z', f), fwrite(b, 2, 3, f);
  printf("%ld ", ftell(f));
  fseek(f, a[2] & 31, SEEK_SET);
  printf("%d %d %d ", fflush(f), fputs("over", f), fclose(f));
  show("out");
  FILE *more = fopen("out", "a+");
  rewind(more);
  printf("%d %d ", getc(more), fputs("!", more));
  show("out");
  FILE *fresh = fopen("fresh", "w+");
  for (int i = 0; i < (b[0] & 15); i++) fputc(i, fresh);
  fseek(fresh, -2, SEEK_CUR);
  printf("%d %d %d ", getc(fresh), feof(fresh), access("fresh", 0));
  int d = open("direct", O_RDWR | O_CREAT | O_TRUNC, 0600);
  printf("%d %d %d ", (int)write(d, a, 9), (int)lseek(d, 3, SEEK_SET), (int)write(d, b, 2));
  show("direct");
  printf("%d %d ", remove("out"), unlink("direct"));
  show("out");
  printf("%d %d %d\n", remove("out"), (int)write(77, a, 1), isatty(1));
  return 0;
}
"""

PROGRAMS = {
    name: _HEAD + body
    for name, body in {
        "strings": _STRINGS, "numbers": _NUMBERS, "math": _MATH, "scanned": _SCANNED, "world": _WORLD, "asked": _ASKED,
        "stdin": _STDIN, "files": _FILES, "written": _WRITTEN,
    }.items()
}  # fmt: skip
ASKED_SIZES = (4, 8, 4, 4, 8, 8, 8, 8, 8, 8, 8, 1, 8)
"""Bytes of the inputs of ``asked``."""
FILE_SIZES = (4, 16, 1, 4, 16, 12, 30, 1, 4, 16, 1, 4, 16, 1, 4, 16, 29)
"""Bytes of the inputs of ``files``, all of which are asked for if all files are there."""

SAME = {
    "__isoc23_strtol": "strtol", "__isoc23_strtoll": "strtoll", "__isoc23_strtoul": "strtoul",
    "__isoc23_strtoull": "strtoull", "__strtok_r": "strtok_r", "_longjmp": "longjmp", "siglongjmp": "longjmp",
    "__longjmp_chk": "longjmp", "vscanf": "vsscanf", "vfscanf": "vsscanf", "fscanf": "scanf", "gets": "fgets",
    "fopen64": "fopen", "open64": "open", "lseek64": "lseek", "fseeko": "fseek", "fseeko64": "fseek", "ftello": "ftell",
    "ftello64": "ftell", "__getdelim": "getdelim", "__getline": "getline",
}  # fmt: skip
"""Functions that are others by another name, or in all but where they read."""
ELSEWHERE = frozenset(
    """__VERIFIER_assume __VERIFIER_error __assert_fail __clew_destructor __clew_end __clew_result __errno_location
    _exit abort clew_assume exit klee_assume klee_int klee_make_symbolic klee_range klee_silent_exit
    reach_error""".split()
)
"""Functions that end a run, or that are no library's: programs of the generator, and hostile ones, call them."""


def _of_a_file(size: int, random: Random) -> bytes:
    """Whether there is one, how long it is, or what is in it."""
    if size == 1:
        return bytes([random.random() < 0.9])
    if size == 4:
        return random.choice([0, 3, *range(8, 17), *range(14, 17), 40, 70]).to_bytes(4, "little")
    return bytes(random.choices(b"  0123456789abcx-+\n\t", k=size))


def compare_library(name: str, random: Random, source: Path) -> Compared:
    """Run one of the programs, written to ``source``, on what is drawn for it, by the interpreter and natively."""
    source.write_text(PROGRAMS[name], encoding="utf-8")
    if name == "stdin":
        return compare_stdin(source, bytes(random.choices(b"  0123456789abc-+\n\t", k=random.randrange(1, 40))))
    if name == "asked":
        times = sorted(random.randrange(1 << 30) for _ in range(3))
        more = [
            times[0],
            random.randrange(1 << 40),
            times[1],
            random.randrange(10**6),
            times[2],
            random.randrange(10**9),
        ]
        text = int.from_bytes(random.randbytes(8), "little")
        return compare(
            source,
            [*(random.randrange(1 << 31) for _ in range(5)), *more, random.randrange(2), text],
            sizes=ASKED_SIZES,
        )
    if name == "files":
        return compare_bytes(source, [_of_a_file(size, random) for size in FILE_SIZES])
    letters = b"  0123456789abcxefABCz-+.\0\x7f\t~%"[random.randrange(3) :]
    return compare(source, [int.from_bytes(bytes(random.choices(letters, k=8)), "little") for _ in range(4)])
