// What moves is in memory: a global, a member, an element, something behind a pointer.
// plain: no
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

struct meter {
  short kind;
  long total;
};
static unsigned ticks;
static struct meter meter;
static int shelf[4];

int main(void) {
  unsigned n = __VERIFIER_nondet_ushort();
  int stock = 0, *where = &stock;
  // loop: sound @+1
  while (ticks < n) {
    ticks++;
    meter.total += 5;
    shelf[2] -= 2;
    *where += 3;
  }
  // expect: error-call @+1
  if (meter.total == 20000) reach_error();
  // expect: error-call @+1
  if (shelf[2] == -2 * 1234) reach_error();
  // uncovered: true @+1
  if (stock != 3 * (int)ticks) reach_error();
  return 0;
}
