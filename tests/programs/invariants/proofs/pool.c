// What is taken and what is left add up, whatever is asked for and given back.
// verdict: TRUE
// MUTANT: FALSE
// WRAPS: not TRUE
#include "../verifier.h"

#ifdef WRAPS
static unsigned char taken, left;
#else
static int taken, left;
#endif

static int take(int wanted) {
  if (wanted < 0 || wanted > left) return 0;
  left -= wanted;
  taken += wanted;
  return wanted;
}

static void give_back(void) {
  if (taken == 0) return;
  taken--;
#ifdef MUTANT
  if (taken == 2) return;
#endif
  left++;
}

int main(void) {
  int size = __VERIFIER_nondet_int();
  if (size < 0 || size > 1000000) return 0;
  left = size;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      take(__VERIFIER_nondet_int());
    else
      give_back();
    assert(taken + left == size);
  }
}
