/* Subject 2, after Listing 3: nested loops, both bounded by inputs. The error depends on the product of the two. */
// branches: 6
extern int klee_int(const char *name);
extern void abort(void);

int main(void) {
  int n = klee_int("n"), m = klee_int("m");
  int i = 0, j, k = 0;
  int limit = 1000;
  while (i < n) {
    j = 0;
    while (j < m) {
      k = k + 5;
      j = j + 1;
    }
    i = i + 1;
  }
  if (k >= limit) abort();
  return 0;
}
