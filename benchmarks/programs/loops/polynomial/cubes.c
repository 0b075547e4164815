// Cubes by differences.
// verdict: TRUE
// inputs: 3
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned cube = 0, first = 1, second = MUTANT(6, 5);
  for (unsigned i = 0; i < n; i++) {
    cube += first;
    first += second;
    second += 6;
  }
  assert(cube == n * n * n);
  return 0;
}
