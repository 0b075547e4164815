// Labels as values: a small interpreter with computed goto.
// paths: 4
// exit: 0
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  static void *const jump[] = {&&increment, &&twice, &&stop};
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 2)
    return 0;
  unsigned char code[4] = {0, 0, 1, 2};
  int acc = 1, at = 0;
  if (n == 1)
    code[1] = 1;
  else if (n == 2)
    code[2] = 2;
  goto *jump[code[at]];
increment:
  acc++;
  goto *jump[code[++at]];
twice:
  acc *= 2;
  goto *jump[code[++at]];
stop:
  assert((n == 0 && acc == 6) || (n == 1 && acc == 8) || (n == 2 && acc == 3));
  return 0;
}
