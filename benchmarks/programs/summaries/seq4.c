/* Four input-bounded loops in sequence; the error needs a total close to 4335, the most there is. */
// start: 4,4,4,4
// bugs: 1
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned total = 0;
  unsigned char a = __VERIFIER_nondet_uchar();
  for (unsigned i = 0; i < a; i++)
    total += 2;
  unsigned char b = __VERIFIER_nondet_uchar();
  for (unsigned i = 0; i < b; i++)
    total += 3;
  unsigned char c = __VERIFIER_nondet_uchar();
  for (unsigned i = 0; i < c; i++)
    total += 5;
  unsigned char d = __VERIFIER_nondet_uchar();
  for (unsigned i = 0; i < d; i++)
    total += 7;
  if (total == 4327) reach_error();
  return 0;
}
