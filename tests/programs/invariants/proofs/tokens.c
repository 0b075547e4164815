// A reader that takes one byte or two, and looks before it does.
// verdict: TRUE
// MUTANT: FALSE
// WRAPS: not TRUE
#include "../verifier.h"

int main(void) {
#ifdef WRAPS
  unsigned char length = __VERIFIER_nondet_uchar(), at = 0;
#else
  unsigned length = __VERIFIER_nondet_uint(), at = 0;
#endif
  unsigned long tokens = 0;
  while (at < length) {
    if (__VERIFIER_nondet_bool()) {
#if defined MUTANT
      if (at + 2 > length + 1u) break;
#elif defined WRAPS
      if ((unsigned char)(at + 2) > length) break;
#else
      if (length - at < 2) break;
#endif
      at += 2;
    } else {
      at++;
    }
    tokens++;
    assert(at <= length);
#ifndef MUTANT
    assert(tokens <= at);
#endif
  }
}
