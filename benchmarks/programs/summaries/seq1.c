/* One input-bounded loop; the error needs a total close to 510, the most there is. */
// start: 4
// bugs: 1
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned total = 0;
  unsigned char a = __VERIFIER_nondet_uchar();
  for (unsigned i = 0; i < a; i++)
    total += 2;
  if (total == 508) reach_error();
  return 0;
}
