/* Two nested loops; the error needs a * b iterations, which only 221 and 223 give. */
// start: 4,4
// bugs: 1
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  unsigned char b = __VERIFIER_nondet_uchar();
  unsigned count = 0;
  for (unsigned i = 0; i < a; i++)
    for (unsigned j = 0; j < b; j++)
      count++;
  if (count == 221 * 223) reach_error();
  return 0;
}
