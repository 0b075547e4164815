/* One input-bounded loop; the error needs 54,321 iterations. */
// start: 4
// bugs: 1
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void) {
  unsigned short a = __VERIFIER_nondet_ushort();
  unsigned count = 0;
  for (unsigned i = 0; i < a; i++)
    count++;
  if (count == 54321) reach_error();
  return 0;
}
