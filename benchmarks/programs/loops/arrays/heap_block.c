// The array is allocated, its length an input.
// verdict: TRUE
// inputs: 9 8
#include "../task.h"

#include <stdlib.h>
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n > 0 && n < 2000 && k < n);
  unsigned *a = malloc(n * sizeof *a);
  if (!a) return 0;
  for (unsigned i = 0; i < n; i++) a[i] = n - i;
  assert(a[k] == n - k MUTANT(, && a[k] != 1));
  free(a);
  return 0;
}
