// long double on both targets: more digits than a double has, kept in memory, in arguments, in comparisons.
// paths: 4
// exit: 0
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

static long double sum(int count, ...) {
  va_list list;
  long double total = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++)
    total += va_arg(list, int) + va_arg(list, long double);
  va_end(list);
  return total;
}

int main(void) {
  long double third = 1.0L / 3, halves[2] = {0.5L, -0.5L};
  assert(third != (double)third && (double)third == 1.0 / 3);
  assert(sum(2, 1, halves[0], 2, third) == 3.5L + third);
  char text[32];
  snprintf(text, sizeof text, "%.3Lf %Lg", third * 100, halves[1]);
  assert(strcmp(text, "33.333 -0.5") == 0);
  assert(strtold("1e400", NULL) > 1e300L * 1e50L);
  int x = __VERIFIER_nondet_int();
  long double wide = x;
  if (wide * 2 == 2468.0L)
    return 1;
  if (wide + third < 0)
    return 2;
  if ((long long)(wide * 0.5L) == 21)
    return 3;
  return 0;
}
