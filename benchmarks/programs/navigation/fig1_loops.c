/* REACHED. As fig1; the loops are in a function. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

__attribute__((noinline)) static int count(const int *array, int wanted) {
  int found = 0;
  for (int i = 0; i < 15; ++i) {
    if (array[i] == wanted) ++found;
  }
  return found;
}

int main(void) {
  int A[15], B[15];
  int a = 0, b = 0;
  klee_make_symbolic(A, sizeof A, "A");
  klee_make_symbolic(B, sizeof B, "B");
  a = count(A, 1);
  b = count(B, 2);
  if (a > 12 && a + b == 23) reach_error();
  return 0;
}
