/* REACHED. As doif; each action also calls a function of its own, which has an effect. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

#define COUNT 40

int notes;

__attribute__((noinline)) static void note_red(int place) { notes += place; }
__attribute__((noinline)) static void note_green(int place) { notes -= place; }
__attribute__((noinline)) static void note_blue(int place) { notes ^= place; }
__attribute__((noinline)) static void note_other(int place) { notes |= place; }

int main(void) {
  int A[COUNT];
  int red = 0, green = 0, blue = 0, other = 0;
  klee_make_symbolic(A, sizeof A, "A");
  for (int i = 0; i < COUNT; i++) {
    if (A[i] == 1) {
      note_red(i);
      red += 1;
    } else if (A[i] == 2) {
      note_green(i);
      green += 2;
    } else if (A[i] == 3) {
      note_blue(i);
      blue += 3;
    } else {
      note_other(i);
      other += 1;
    }
  }
  if (red == 15 && green == 4 && blue == 39 && other == 10) reach_error();
  return 0;
}
