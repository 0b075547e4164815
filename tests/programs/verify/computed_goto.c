// A small interpreter that jumps to addresses of labels.
// verdict: FALSE
#include "verifier.h"

int main(void) {
  static void *const operations[] = {&&increment, &&twice, &&end};
  int v = 1, n = 0;
  unsigned char k;
next:
  k = __VERIFIER_nondet_uchar() % 3;
  if (n++ == 3) goto end;
  goto *operations[k];
increment:
  v++;
  goto next;
twice:
  v *= 2;
  goto next;
end:
  // expect: FALSE @+1
  assert(v != 5);
  // expect: TRUE @+1
  assert(v != 7);
  // expect: TRUE @+1
  assert(v <= 8);
}
