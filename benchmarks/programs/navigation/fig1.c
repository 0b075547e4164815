/* REACHED. The program of Figure 1: how often is 1 in A, 2 in B? */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

int main(void) {
  int A[15], B[15];
  int a = 0, b = 0;
  klee_make_symbolic(A, sizeof A, "A");
  klee_make_symbolic(B, sizeof B, "B");
  for (int i = 0; i < 15; ++i) {
    if (A[i] == 1) ++a;
  }
  for (int j = 0; j < 15; ++j) {
    if (B[j] == 2) ++b;
  }
  if (a > 12 && a + b == 23) reach_error();
  return 0;
}
