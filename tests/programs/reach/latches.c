// Loops with several ways back and out: continue, break, goto.
// chains: yes
#include "../verify/verifier.h"

int main(void) {
  int i = 0, sum = 0;
  while (i < 5) {
    int x = __VERIFIER_nondet_int();
    i++;
    if (x == 1) continue;
    if (x == 2) {
      sum += 5;
      continue;
    }
    if (x == 3) break;
    if (x == 4) goto out;
    sum++;
  }
  // reach: REACHED label early
  if (sum == 11 && i == 4) { early: return 1; }
  // reach: UNREACHABLE label much
  if (sum == 24) { much: return 2; }
out:
  return 0;
}
