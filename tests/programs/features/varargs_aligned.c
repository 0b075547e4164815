// Structs that are aligned to more than a word, as variable arguments: in registers, in memory, and where one is left
// that is not enough. Structs of numbers and floating-point numbers; lists that functions of the C library read.
// paths: 1
// exit: 0
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct padded { _Alignas(16) long a; };
struct whole { _Alignas(16) long a; long b; };
struct page { _Alignas(64) char a; };
struct mixed { long a; double b; };
struct pair { long a, b; };
struct floats { float a, b, c; };

static long read_all(const char *kinds, ...) {
  long sum = 0;
  va_list list, copy;
  va_start(list, kinds);
  va_copy(copy, list);
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'i': sum = 3 * sum + va_arg(copy, int); break;
    case 'd': sum = 3 * sum + (long)va_arg(copy, double); break;
    case 'p': sum = 3 * sum + va_arg(copy, struct padded).a; break;
    case 'w': { struct whole w = va_arg(copy, struct whole); sum = 3 * sum + w.a + w.b; break; }
    case 'g': sum = 3 * sum + va_arg(copy, struct page).a; break;
    case 'm': { struct mixed m = va_arg(copy, struct mixed); sum = 3 * sum + m.a + (long)m.b; break; }
    case 'r': { struct pair r = va_arg(copy, struct pair); sum = 3 * sum + r.a + r.b; break; }
    case 'f': { struct floats f = va_arg(copy, struct floats); sum = 3 * sum + (long)(f.a + f.b + f.c); break; }
    }
  va_end(copy);
  va_end(list);
  return sum;
}

static int print(char *room, int a, struct pair b, double c, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int first = va_arg(list, int);
  int length = vsprintf(room, format, list);
  va_end(list);
  return first + length + a + (int)b.a + (int)c;
}

/* The same number from a list of what each argument adds. */
static long expected(const char *digits) {
  long sum = 0;
  for (; *digits; digits++)
    sum = 3 * sum + (*digits - '0');
  return sum;
}

int main(void) {
  long n = 1 + (__VERIFIER_nondet_int() & 3);
  struct padded p = {7};
  struct whole w = {2, 3};
  struct page g = {4};
  struct mixed m = {n, 2.0};
  struct pair r = {5, 1};
  struct floats f = {1, 2, 3};
  assert(read_all("ipipipip", 1, p, 2, p, 3, p, 4, p) == expected("17273747"));
  assert(read_all("iwiwiwiwi", 1, w, 2, w, 3, w, 4, w, 5) == expected("152535455"));
  assert(read_all("igdgi", 1, g, 2.0, g, 3) == expected("14243"));
  assert(read_all("iiiiwii", 1, 1, 1, 1, w, 1, 1) == expected("1111511"));
  assert(read_all("iiiirii", 1, 1, 1, 1, r, 2, 3) == expected("1111623"));
  assert(read_all("mmmmmmmi", m, m, m, m, m, m, m, 1) == 3 * (n + 2) * expected("1111111") + 1);
  assert(read_all("dddddddmfdi", 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, (struct mixed){1, 2.0}, f, 4.0, 5) ==
         expected("11111113645"));
  assert(read_all("fffffd", f, f, f, f, f, 1.0) == expected("666661"));
  char room[64];
  assert(print(room, 1, r, 2.0, "%d %.1f %s %d %Lf %d %.0f", 9, 2, 0.5, "x", 3, 1.5L, 4, 6.0) == 9 + 22 + 1 + 5 + 2);
  assert(strcmp(room, "2 0.5 x 3 1.500000 4 6") == 0);
  return 0;
}
