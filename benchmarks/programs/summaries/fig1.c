/* The program of Figure 1: one input-bounded loop, an error in it that needs 50 iterations, one behind it that
   needs 30. `sum` grows by a different amount each time; nothing depends on it. */
// start: x=10
// bugs: 2
extern int klee_int(const char *name);
extern void abort(void);

int main(void) {
  int x = klee_int("x");
  int count = 0, sum = 0;
  while (1) {
    if (x <= 0) break;
    if (count == 50) abort();
    count = count + 1;
    sum = sum + count;
    x = x - 1;
  }
  if (count == 30) abort();
  return 0;
}
