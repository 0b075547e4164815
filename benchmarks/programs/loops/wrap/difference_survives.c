// Clock ticks: the elapsed time is right although the clock wraps.
// verdict: TRUE
// inputs: 4294967290 50
#include "../task.h"

int main(void) {
  unsigned begin = __VERIFIER_nondet_uint(), wait = __VERIFIER_nondet_uint();
  __VERIFIER_assume(wait < 100000);
  unsigned now = begin;
  while (MUTANT(now - begin < wait, now < begin + wait)) now++;
  assert(now - begin == wait);
  return 0;
}
