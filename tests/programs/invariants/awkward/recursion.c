// A function that calls itself is looked at once, with any arguments.
// says: k >= 1
#include "../verifier.h"

static int sum(int k) {
  if (k <= 0) return 0;
  return k + sum(k - 1);
}

int main(void) {
  int total = 0;
  for (int i = 0; i < 3; i++) total += sum(i);
  return total;
}
