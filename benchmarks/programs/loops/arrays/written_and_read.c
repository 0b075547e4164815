// What was just written is there.
// verdict: TRUE
// inputs: 9999
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

#define SIZE 10000
unsigned int array[SIZE];
int main(void) {
  unsigned int index = 0, tmp = 0;
  while (1) {
    index = __VERIFIER_nondet_uint();
    if (index >= SIZE) break;
    array[index] = index;
    tmp = array[index];
    __VERIFIER_assert(tmp == index MUTANT(, && tmp != 9999));
  }
}
