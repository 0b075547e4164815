/* REACHED. As fig1; the branches also store into an array. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

int log_a[15], log_b[15];

int main(void) {
  int A[15], B[15];
  int a = 0, b = 0;
  klee_make_symbolic(A, sizeof A, "A");
  klee_make_symbolic(B, sizeof B, "B");
  for (int i = 0; i < 15; ++i) {
    if (A[i] == 1) {
      log_a[a] = i;
      ++a;
    }
  }
  for (int j = 0; j < 15; ++j) {
    if (B[j] == 2) {
      log_b[b] = j;
      ++b;
    }
  }
  if (a > 12 && a + b == 23) reach_error();
  return 0;
}
