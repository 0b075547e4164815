/* REACHED. Two loops as that of doif in sequence, over two arrays; the condition is on what both added up to. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

#define COUNT 40

int main(void) {
  int A[COUNT], B[COUNT];
  int red = 0, green = 0, blue = 0, other = 0;
  int up = 0, down = 0, left = 0, right = 0;
  klee_make_symbolic(A, sizeof A, "A");
  klee_make_symbolic(B, sizeof B, "B");
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
  for (int j = 0; j < COUNT; j++) {
    if (B[j] < 10) {
      up += 1;
    } else if (B[j] < 20) {
      down += 1;
    } else if (B[j] < 30) {
      left += 2;
    } else {
      right += 2;
    }
  }
  if (red + up == 33 && green + left == 18 && blue == 39 && down - right == 3) reach_error();
  return 0;
}
