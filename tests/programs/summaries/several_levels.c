// Out of two loops at once.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() & 15, m = __VERIFIER_nondet_uchar() & 15, stop = __VERIFIER_nondet_uchar() & 15;
  unsigned i = 0, j = 0;
  for (; i < n; i++) {
    for (j = 0; j < m; j++)
      if (i + j == stop) goto out;
  }
  return 0;
out:
  // expect: error-call @+1
  if (i == 9 && j == 4) reach_error();
  // uncovered: true @+1
  if (i + j != stop) reach_error();
  return 0;
}
