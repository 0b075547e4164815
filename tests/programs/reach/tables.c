// Constant tables at unknown places, and one that is not constant.
#include "../verify/verifier.h"

static const int fixed[6] = {3, 1, 4, 1, 5, 9};
static int changing[6] = {0, 1, 2, 3, 4, 5};

int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    unsigned k = __VERIFIER_nondet_uint();
    if (k < 6) sum += fixed[k];
  }
  // reach: REACHED label most
  if (sum == 18) { most: return 1; }
  // reach: UNREACHABLE label more
  if (sum == 17) { more: return 2; }
  unsigned k = __VERIFIER_nondet_uint();
  const int *table = __VERIFIER_nondet_bool() ? fixed : changing;
  if (k > 5) return 0;
  changing[3] = 77;
  // reach: REACHED label changed
  if (table[k] == 77) { changed: return 3; }
  return 0;
}
