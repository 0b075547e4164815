// A handler that runs because the program raises its signal.
// verdict: FALSE
#include "verifier.h"
#include <signal.h>

static int x;

static void handler(int number) {
  (void)number;
  // expect: FALSE @+1
  assert(x != 3);
}

int main(void) {
  x = __VERIFIER_nondet_int();
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
}
