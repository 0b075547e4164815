// A variable that falls by less and less, and then rises: what holds before and after need not hold between.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_uchar() & 31, floor = __VERIFIER_nondet_uchar() & 15;
  int height = 40, step = -8, i = 0;
  for (; i < n; i++) {
    height += step;
    step++;
    if (height < floor) break;
  }
  if (i == 25) {
    // expect: error-call @+1
    if (floor == 4) reach_error();
    // uncovered: true @+1
    if (floor == 9) reach_error();
  }
  return 0;
}
