/* REACHED. As doif; the loop is in a function. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

#define COUNT 40

struct sums {
  int red, green, blue, other;
};

__attribute__((noinline)) static void add_up(const int *A, struct sums *sums) {
  for (int i = 0; i < COUNT; i++) {
    if (A[i] == 1) {
      sums->red += 1;
    } else if (A[i] == 2) {
      sums->green += 2;
    } else if (A[i] == 3) {
      sums->blue += 3;
    } else {
      sums->other += 1;
    }
  }
}

int main(void) {
  int A[COUNT];
  struct sums sums = {0, 0, 0, 0};
  klee_make_symbolic(A, sizeof A, "A");
  add_up(A, &sums);
  if (sums.red == 15 && sums.green == 4 && sums.blue == 39 && sums.other == 10) reach_error();
  return 0;
}
