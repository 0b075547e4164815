/* UNREACHABLE. As fig1_17; the branches also call a function with an effect. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

int notes;

__attribute__((noinline)) static void note(int place) { notes += place; }

int main(void) {
  int A[15], B[15];
  int a = 0, b = 0;
  klee_make_symbolic(A, sizeof A, "A");
  klee_make_symbolic(B, sizeof B, "B");
  for (int i = 0; i < 15; ++i) {
    if (A[i] == 1) {
      note(i);
      ++a;
    }
  }
  for (int j = 0; j < 15; ++j) {
    if (B[j] == 2) {
      note(j);
      ++b;
    }
  }
  if (a > 17 && a + b == 23) reach_error();
  return 0;
}
