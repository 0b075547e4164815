/* Three nested loops; the error needs a * b * c iterations, and has six solutions. */
// start: 4,4,4
// bugs: 1
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  unsigned char b = __VERIFIER_nondet_uchar();
  unsigned char c = __VERIFIER_nondet_uchar();
  unsigned count = 0;
  for (unsigned i = 0; i < a; i++)
    for (unsigned j = 0; j < b; j++)
      for (unsigned k = 0; k < c; k++)
        count++;
  if (count == 31 * 37 * 41) reach_error();
  return 0;
}
