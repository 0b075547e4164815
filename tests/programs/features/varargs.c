// Variable arguments of several types, handed on as a va_list, and copied.
// The assertion on a symbolic sum cannot fail, so nothing forks.
// paths: 1
// exit: 0
#include <assert.h>
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);

struct pair { int a; long b; };

static long collect(int count, va_list list) {
  long sum = 0;
  for (int i = 0; i < count; i++)
    sum += va_arg(list, int);
  return sum;
}

static long sum(int count, ...) {
  va_list list, copy;
  va_start(list, count);
  va_copy(copy, list);
  long first = collect(count, list);
  long second = collect(count, copy);
  va_end(copy);
  va_end(list);
  assert(first == second);
  return first;
}

static double mixed(const char *kinds, ...) {
  double total = 0;
  va_list list;
  va_start(list, kinds);
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'i': total += va_arg(list, int); break;
    case 'l': total += (double)va_arg(list, long long); break;
    case 'd': total += va_arg(list, double); break;
    case 'p': { struct pair p = va_arg(list, struct pair); total += p.a + (double)p.b; break; }
    }
  va_end(list);
  return total;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  assert(sum(3, 1, n, 3) == 4 + (long)n);
  assert(sum(0) == 0);
  assert(sum(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 55);
  struct pair p = {5, 6};
  assert(mixed("idlpdddddddd", 1, 0.5, 2LL, p, 1., 1., 1., 1., 1., 1., 1., 1.) == 22.5);
  return 0;
}
