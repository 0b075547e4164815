/* REACHED. As doif; each action also stores, into an array of its own. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

#define COUNT 40

int reds[COUNT], greens[COUNT], blues[COUNT], others[COUNT];

int main(void) {
  int A[COUNT];
  int red = 0, green = 0, blue = 0, other = 0;
  klee_make_symbolic(A, sizeof A, "A");
  for (int i = 0; i < COUNT; i++) {
    if (A[i] == 1) {
      reds[i] = i;
      red += 1;
    } else if (A[i] == 2) {
      greens[i] = i;
      green += 2;
    } else if (A[i] == 3) {
      blues[i] = i;
      blue += 3;
    } else {
      others[i] = i;
      other += 1;
    }
  }
  if (red == 15 && green == 4 && blue == 39 && other == 10) reach_error();
  return 0;
}
