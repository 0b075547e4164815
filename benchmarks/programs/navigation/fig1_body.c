/* REACHED. As fig1; the bodies of the loops are in a function. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

__attribute__((noinline)) static void step(int value, int wanted, int *count) {
  if (value == wanted) ++*count;
}

int main(void) {
  int A[15], B[15];
  int a = 0, b = 0;
  klee_make_symbolic(A, sizeof A, "A");
  klee_make_symbolic(B, sizeof B, "B");
  for (int i = 0; i < 15; ++i) step(A[i], 1, &a);
  for (int j = 0; j < 15; ++j) step(B[j], 2, &b);
  if (a > 12 && a + b == 23) reach_error();
  return 0;
}
