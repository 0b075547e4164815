/* Subject 1, after Listing 1: the loop counts down from the input, the error is about another variable that the loop
   counts up. It is met in the 20th pass. */
// branches: 4
extern int klee_int(const char *name);
extern void abort(void);

int main(void) {
  int x = klee_int("x");
  int p = x, i = 3;
  while (1) {
    if (p <= 0) break;
    p--;
    i += 4;
    if (i >= 80) abort();
  }
  return 0;
}
