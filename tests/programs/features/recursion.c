// Recursion: direct, mutual, with arrays of its own in every frame.
// paths: 6
// exit: 0
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static int depth(int n) {
  int here[3] = {n, n + 1, n + 2};
  if (n == 0)
    return 0;
  int below = depth(n - 1);
  return below + (here[0] + here[1] + here[2] == 3 * n + 3);
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 4)
    return 0;
  assert(is_even(n) == (n % 2 == 0));
  assert(fibonacci(10) == 55 && depth(20) == 20);
  return 0;
}
