// A symbolic index that is checked one too far.
// exit: 1
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int table[8] = {0};
  unsigned i = __VERIFIER_nondet_uint();
  if (i <= 8)
    // expect: out-of-bounds @+1
    table[i] = 1;
  return table[0];
}
