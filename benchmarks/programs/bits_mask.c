/* 16 independent bits of one symbolic number, tested one by one: 65,536 feasible paths. */
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
  unsigned short word = __VERIFIER_nondet_ushort();
  int ones = 0;
  for (int i = 0; i < 16; i++)
    if (word >> i & 1)
      ones++;
  return ones == 17;
}
