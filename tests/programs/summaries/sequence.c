// Loops one after the other; what the first leaves is the second one's bound.
// plain: no
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_ushort();
  unsigned i = 0, j = 0, both = 0;
  // loop: sound @+1
  while (i < n) {
    i += 2;
    both++;
  }
  // loop: sound @+1
  while (j < i) {
    j += 3;
    both++;
  }
  // expect: error-call @+1
  if (both == 5000) reach_error();
  // uncovered: true @+1
  if (j < n) reach_error();
  return 0;
}
