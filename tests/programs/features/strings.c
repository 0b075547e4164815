// String literals: shared, indexed by a symbolic number, in initializers, adjacent, with escapes.
// exit: 0
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

static const char *const words[] = {"zero", "one", "two"};
static char text[] = "ab" "\x63\0d";

int main(void) {
  assert(sizeof text == 6 && text[2] == 'c' && text[3] == 0 && text[4] == 'd');
  assert(words[1][2] == 'e' && words[2][3] == 0);
  unsigned n = __VERIFIER_nondet_uint();
  if (n >= 16)
    return 0;
  char digit = "0123456789abcdef"[n];
  assert(n < 10 ? digit == '0' + (int)n : digit == 'a' + (int)n - 10);
  return 0;
}
