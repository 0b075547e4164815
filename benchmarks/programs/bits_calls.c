/* 16 independent symbolic bits, each its own input: 65,536 feasible paths. */
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  unsigned word = 0;
  for (int i = 0; i < 16; i++)
    if (__VERIFIER_nondet_bool())
      word |= 1u << i;
  return word == 0xbeef;
}
