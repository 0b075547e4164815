/* UNREACHABLE. Equal pairs of two arrays, twice: of 25 pairs, never just 24 are equal, and 49 is 25 + 24 only. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

#define SIZE 5

int main(void) {
  int A[SIZE], B[SIZE], C[SIZE], D[SIZE];
  int count = 0;
  klee_make_symbolic(A, sizeof A, "A");
  klee_make_symbolic(B, sizeof B, "B");
  klee_make_symbolic(C, sizeof C, "C");
  klee_make_symbolic(D, sizeof D, "D");
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) {
      if (A[i] == B[j]) ++count;
    }
  }
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) {
      if (C[i] == D[j]) ++count;
    }
  }
  if (count == 49) reach_error();
  return 0;
}
