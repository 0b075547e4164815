// The body is a function, and so is a loop that runs twice with other bounds.
// plain: no
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

static int below(unsigned a, unsigned b) { return a < b; }
static void advance(unsigned *place, unsigned by) { *place += by; }

static unsigned count(unsigned n, unsigned by) {
  unsigned i = 0, t = 0;
  // loop: sound @+1
  while (below(i, n)) {
    advance(&t, by);
    advance(&i, 1);
  }
  return t;
}

int main(void) {
  unsigned n = __VERIFIER_nondet_ushort();
  unsigned m = __VERIFIER_nondet_ushort();
  unsigned a = count(n, 3);
  unsigned b = count(m, 4);
  // expect: error-call @+1
  if (a == 3000 && b == 4004) reach_error();
  return 0;
}
