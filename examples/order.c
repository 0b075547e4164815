/* Three numbers put in order. Try: clew verify examples/order.c */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static void order(int *low, int *high) {
  if (*low > *high) {
    int kept = *low;
    *low = *high;
    *high = kept;
  }
}

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
  order(&a, &b);
  order(&b, &c);
  order(&a, &b); /* without this, the first assertion fails */
  assert(a <= b);
  assert(b <= c);
  return 0;
}
