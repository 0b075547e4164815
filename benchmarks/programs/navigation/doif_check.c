/* REACHED. As doif; the check is in a function. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

#define COUNT 40

__attribute__((noinline)) static int wanted(int red, int green, int blue, int other) {
  return red == 15 && green == 4 && blue == 39 && other == 10;
}

int main(void) {
  int A[COUNT];
  int red = 0, green = 0, blue = 0, other = 0;
  klee_make_symbolic(A, sizeof A, "A");
  for (int i = 0; i < COUNT; i++) {
    if (A[i] == 1) {
      red += 1;
    } else if (A[i] == 2) {
      green += 2;
    } else if (A[i] == 3) {
      blue += 3;
    } else {
      other += 1;
    }
  }
  if (wanted(red, green, blue, other)) reach_error();
  return 0;
}
