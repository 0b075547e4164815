// Choices in loops of functions that loops call: states wait in the middle of all of them.
#include "../verify/verifier.h"

static int inner(int wanted) {
  int count = 0;
  for (int i = 0; i < 2; i++)
    if (__VERIFIER_nondet_int() == wanted) count++;
  return count;
}

static int middle(int wanted) {
  int digits = 0;
  for (int i = 0; i < 2; i++) digits = 3 * digits + inner(wanted + i);
  return digits;
}

int main(void) {
  int digits = 0;
  for (int i = 0; i < 2; i++) digits = 9 * digits + middle(i);
  // reach: REACHED label middle
  if (digits == 49) { middle: return 1; }
  // reach: UNREACHABLE label beyond
  if (digits > 80) { beyond: return 2; }
  return 0;
}
