// Vectors as loop variables: no symbols stand for them, but their values change all the same.
#include "../verify/verifier.h"

typedef int quad __attribute__((vector_size(16)));

int main(void) {
  int n = __VERIFIER_nondet_int(), high = 0;
  quad sum = {0, 0, 0, 0}, step = {1, 2, 3, 4}, other = step;
  for (int i = 0; i < n && i < 5; i++) {
    quad old = sum;
    sum += step;
    other = old;
    if (sum[3] > 10) high++;
  }
  // reach: REACHED label three
  if (sum[0] == 3) { three: return 1; }
  // reach: REACHED label past
  if (high == 2 && other[1] == 6) { past: return 2; }
  // reach: REACHED label most
  if (sum[2] == 15) { most: return 3; }
  return 0;
}
