// Two places in buffers of different lengths.
// verdict: TRUE
// inputs: 3 2 0
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int main(void) {
  int in, inlen = __VERIFIER_nondet_int(), bufferlen = __VERIFIER_nondet_int(), buf, buflim;
  if (bufferlen > 1) ; else goto END;
  if (inlen > 0) ; else goto END;
  if (bufferlen < inlen) ; else goto END;
  buf = 0; in = 0; buflim = bufferlen - 2;
  while (__VERIFIER_nondet_int()) {
    if (buf == buflim) break;
    __VERIFIER_assert(0 <= buf); __VERIFIER_assert(buf < bufferlen);
    buf++;
    in++;
    __VERIFIER_assert(0 <= in); __VERIFIER_assert(in < inlen);
  }
  __VERIFIER_assert(0 <= buf); __VERIFIER_assert(buf < bufferlen MUTANT(, - 2));
  buf++;
END: return 0;
}
