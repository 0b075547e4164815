// Variables that chains set to each other's values, to constants, and to what does not change.
// chains: yes
#include "../verify/verifier.h"

int main(void) {
  int a = 0, b = 10, c = 0, d = 0, sets = 0, k = __VERIFIER_nondet_int();
  for (int i = 0; i < 5; i++) {
    int choice = __VERIFIER_nondet_int();
    if (choice == 1) a = b;
    else if (choice == 2) b = a + 1;
    else if (choice == 3) b = 0;
    if (choice == 4) {
      c = 10;
      sets++;
    } else if (choice == 5) {
      c += 3;
    } else if (choice == 6) {
      c = 20;
      sets += 2;
    }
    if (choice == 7) d = 2 * k;
    else d += k;
  }
  // reach: REACHED label each
  if (a == 2 && b == 0) { each: return 1; }
  // reach: REACHED label once
  if (c == 19 && sets == 1) { once: return 2; }
  // reach: UNREACHABLE label never
  if (c == 29 && sets == 1) { never: return 3; }
  // reach: REACHED label invariant
  if (d == 20 && k == 5) { invariant: return 4; }
  return 0;
}
