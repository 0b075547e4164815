// Pointers as loop variables, forwards and backwards; results through pointers.
#include "../verify/verifier.h"

static void divide(int a, int b, int *quotient, int *rest) {
  *quotient = 0;
  while (a >= b) {
    a -= b;
    (*quotient)++;
  }
  *rest = a;
}

int main(void) {
  char text[5];
  int a = __VERIFIER_nondet_uchar(), quotient, rest;
  for (int i = 0; i < 4; i++) text[i] = __VERIFIER_nondet_uchar();
  text[4] = 0;
  char *end = text, *start;
  while (*end) end++;
  for (start = end; start > text && start[-1] == ' '; start--) {}
  // reach: REACHED label trimmed
  if (start - text == 1 && end - text == 3) { trimmed: return 1; }
  // reach: UNREACHABLE label outside
  if (end - text > 4) { outside: return 2; }
  if (a > 30) return 0;
  divide(a, 7, &quotient, &rest);
  // reach: REACHED label divided
  if (quotient == 3 && rest == 5) { divided: return 3; }
  // reach: UNREACHABLE label rest
  if (rest > 6) { rest: return 4; }
  return 0;
}
