/* The program of Figure 2: nested loops, two ways out of the outer one. With x iterations of the outer loop, and y
   of the inner one each time, `inner` is y * x; the error needs x == 101, or y == 0, which the paper does not mention.
   Sums may wrap, as on the paper's machine. */
// start: x=10,y=20,z=30
// check: abort
// bugs: 1
extern int klee_int(const char *name);
extern void abort(void);

int main(void) {
  int x = klee_int("x"), y = klee_int("y"), z = klee_int("z");
  int inner = 0, done = 0;
  while (1) {
    if (x <= 0) {
      done = 1;
      break;
    }
    int left = y;
    while (1) {
      if (left <= 0) break;
      left--;
      inner = inner + 1;
    }
    if (z <= 0) break;
    x--;
    z--;
  }
  if (inner == y * 101) abort();
  return done;
}
