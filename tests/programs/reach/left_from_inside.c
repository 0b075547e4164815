// Inner loops that are left for the outer loop's next round, or for good.
// chains: yes
#include "../verify/verifier.h"

int main(void) {
  int count = 0, total = 0;
  for (int i = 0; i < 3; i++) {
    int run = 0;
    for (int j = 0; j < 3; j++) {
      int x = __VERIFIER_nondet_int();
      if (x == 5) goto next;
      if (x == 6) goto done;
      if (x == 1) run++;
      else run = 0;
      count++;
    }
    count += 100;
    total = 10 * total + run;
  next:;
  }
done:
  // reach: REACHED label mixed
  if (count == 106) { mixed: return 1; }
  // reach: UNREACHABLE label more
  if (count == 110) { more: return 2; }
  // reach: REACHED label runs
  if (total == 123) { runs: return 3; }
  // reach: UNREACHABLE label long_run
  if (total == 124) { long_run: return 4; }
  return 0;
}
