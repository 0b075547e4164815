// A sum of two kinds of steps that only many rounds can reach.
// verdict: FALSE
// inputs: 50 50 1*50 0*50
#include "../task.h"

int main(void) {
  int target = __VERIFIER_nondet_int(), others = __VERIFIER_nondet_int();
  int sum = 0, ones = 0, threes = 0;
  __VERIFIER_assume(target > 40 && others > 40);
  while (sum < 200) {
    if (__VERIFIER_nondet_bool()) {
      sum += 1;
      ones++;
    } else {
      sum += 3;
      threes++;
    }
  }
  assert(!(ones == target && threes == others MUTANT(, && sum < 200)));
  return 0;
}
