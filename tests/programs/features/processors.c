// What differs between processors follows the target: plain char, wide characters, lists of arguments, small structs.
// paths: 2
// exit: 0
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

extern char __VERIFIER_nondet_char(void);

struct small { short a; char b; };
struct pair { double x, y; };
struct large { long words[5]; };

static struct small swapped(struct small s) { return (struct small){s.b, (char)s.a}; }
static struct pair turned(struct pair p) { return (struct pair){-p.y, p.x}; }
static struct large shifted(struct large l) {
  memmove(l.words, l.words + 1, 4 * sizeof(long));
  return l;
}

static int sum(int count, ...) {
  va_list list, copy;
  int total = 0;
  va_start(list, count);
  va_copy(copy, list);
  for (int i = 0; i < count; i++)
    total += va_arg(list, int) + (int)va_arg(list, double);
  va_end(list);
  total += va_arg(copy, int);
  va_end(copy);
  return total;
}

static int printed(char *room, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(room, 16, format, list);
  va_end(list);
  return length;
}

int main(void) {
  char c = __VERIFIER_nondet_char();
  if (c > SCHAR_MAX)
    assert(CHAR_MIN == 0 && c >= 128);
  else if (c < 0)
    assert(CHAR_MIN == SCHAR_MIN && (unsigned char)c >= 128);
  else
    assert((int)c == (int)(signed char)c);
  assert(((char)-1 < 0) == (CHAR_MIN < 0));
  assert(((wchar_t)-1 < 0) == (WCHAR_MIN < 0));

  struct small s = swapped((struct small){7, 9});
  assert(s.a == 9 && s.b == 7);
  struct pair p = turned((struct pair){1.5, 2.5});
  assert(p.x == -2.5 && p.y == 1.5);
  struct large l = shifted((struct large){{1, 2, 3, 4, 5}});
  assert(l.words[0] == 2 && l.words[4] == 5);

  char room[16];
  assert(sum(2, 3, 4.0, 5, 6.0) == 3 + 4 + 5 + 6 + 3);
  assert(printed(room, "%d %c %.1f", 12, 'x', 0.5) == 8 && strcmp(room, "12 x 0.5") == 0);

  int (*ilogb_)(double) = ilogb;
  assert(ilogb_(0.0) == FP_ILOGB0 && ilogb_(NAN) == FP_ILOGBNAN && ilogb_(8.0) == 3);
  return 0;
}
