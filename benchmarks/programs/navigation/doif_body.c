/* REACHED. As doif; the body of the loop is in a function. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

#define COUNT 40

static int red, green, blue, other;

__attribute__((noinline)) static void act(int value) {
  if (value == 1) {
    red += 1;
  } else if (value == 2) {
    green += 2;
  } else if (value == 3) {
    blue += 3;
  } else {
    other += 1;
  }
}

int main(void) {
  int A[COUNT];
  klee_make_symbolic(A, sizeof A, "A");
  for (int i = 0; i < COUNT; i++) act(A[i]);
  if (red == 15 && green == 4 && blue == 39 && other == 10) reach_error();
  return 0;
}
