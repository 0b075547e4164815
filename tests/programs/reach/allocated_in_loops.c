// Objects that each iteration makes anew, or that outlive it.
#include "../verify/verifier.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0, *last = 0;
  for (int i = 0; i < n && i < 4; i++) {
    int *made = __builtin_alloca(sizeof *made);
    int row[i + 1];
    for (int j = 0; j <= i; j++) row[j] = j;
    *made = last ? *last + i : i + 1;
    last = made;
    sum += row[i];
  }
  // reach: REACHED label seven
  if (last && *last == 7 && sum == 6) { seven: return 1; }
  // reach: REACHED label none
  if (!last && n == 0) { none: return 2; }
  // reach: UNREACHABLE label three
  if (last && *last == 3) { three: return 3; }
  return 0;
}
