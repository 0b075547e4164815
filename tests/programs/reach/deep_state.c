// Globals that a recursive function changes in loops, and a function that calls what it is given.
#include "../verify/verifier.h"

static int depth, deepest, sum;

static void dive(int n) {
  depth++;
  if (depth > deepest) deepest = depth;
  for (int i = 0; i < n; i++) dive(n - 1 - i);
  depth--;
}

static void add(int x) { sum += x; }
static void set(int x) { sum = x; }

static void each(void (*act)(int), int n) {
  for (int i = 1; i <= n; i++) act(i);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4) return 0;
  dive(n);
  // reach: REACHED label four
  if (deepest == 4) { four: return 1; }
  each(add, n);
  each(set, 2);
  each(add, n);
  // reach: REACHED label sum
  if (sum == 5) { sum: return 2; }
  // reach: UNREACHABLE label other
  if (sum == 6) { other: return 3; }
  return depth;
}
