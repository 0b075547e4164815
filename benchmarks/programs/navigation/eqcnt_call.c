/* REACHED. As eqcnt; the branch also calls a function with an effect. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 20

int notes;

__attribute__((noinline)) static void note(int place) { notes += place; }

int main(void) {
  int left[SIZE][SIZE], right[SIZE][SIZE];
  int count = 0;
  klee_make_symbolic(left, sizeof left, "left");
  klee_make_symbolic(right, sizeof right, "right");
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > SIZE) return 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (left[i][j] == right[i][j]) {
        note(j);
        ++count;
      }
    }
  }
  if (count == 211) reach_error();
  return 0;
}
