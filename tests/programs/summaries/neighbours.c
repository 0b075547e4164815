// Narrow fields side by side, each with a step of its own.
// plain: no
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

struct gauge {
  int level;
  unsigned char ticks;
  short height;
  unsigned total;
};
static struct gauge gauge;

int main(void) {
  unsigned short n = __VERIFIER_nondet_ushort();
  if (n > 200) return 0;
  // loop: sound @+1
  for (int i = 0; i < n; i++) {
    gauge.ticks++;
    gauge.height += 3;
    gauge.total += 70000;
  }
  // expect: error-call @+1
  if (gauge.height == 423) reach_error();
  // expect: error-call @+1
  if (gauge.ticks == 199) reach_error();
  // uncovered: true @+1
  if (gauge.total != 70000u * n) reach_error();
  return 0;
}
