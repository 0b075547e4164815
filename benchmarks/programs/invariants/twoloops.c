/* Subject 6: two loops in sequence, the second bounded by what the first one left behind, and an assertion that is
   about locals only. It fails from k = 1051 on. */
// branches: 6
#include <assert.h>
extern int klee_int(const char *name);

int main(void) {
  int k = klee_int("k");
  int filled = 0, stock = 0, taken = 0;
  while (filled < k) {
    filled++;
    stock += 2;
  }
  while (stock > 0) {
    stock -= 3;
    taken++;
  }
  assert(taken <= 700);
  return 0;
}
