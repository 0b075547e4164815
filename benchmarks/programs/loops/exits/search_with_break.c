// A search that ends by break knows why.
// verdict: TRUE
// inputs: 4 4
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), key = __VERIFIER_nondet_uint(), i;
  for (i = 0; i < n; i++)
    if (i == key) break;
  if (i < n) {
    assert(i == key);
  } else {
    assert(key >= n MUTANT(, && n != 4));
  }
  return 0;
}
