// A loop in a loop: the counter is a product of inputs.
// plain: no
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned rows = __VERIFIER_nondet_uchar();
  unsigned columns = __VERIFIER_nondet_uchar();
  unsigned cells = 0;
  // loop: sound @+1
  for (unsigned y = 0; y < rows; y++) {
    // loop: sound @+1
    for (unsigned x = 0; x < columns; x++) cells++;
  }
  if (cells == 101 * 103) {
    // expect: error-call @+1
    if (rows < columns) reach_error();
  }
  // uncovered: true @+1
  if (cells == 257) reach_error();
  return 0;
}
