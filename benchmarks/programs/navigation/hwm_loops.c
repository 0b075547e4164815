/* REACHED. As hwm; the loop that looks for a word is in a function. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

#define LENGTH 30

__attribute__((noinline)) static int contains(const char *s, const char *word, int length) {
  int k = 0;
  for (int i = 0; i < LENGTH && s[i] != 0; i++) {
    if (s[i] == word[k]) {
      k++;
      if (k == length) return 1;
    } else {
      k = 0;
    }
  }
  return 0;
}

int main(void) {
  char s[LENGTH];
  klee_make_symbolic(s, sizeof s, "s");
  int hello = contains(s, "Hello", 5);
  int world = contains(s, "World", 5);
  int at = contains(s, "At", 2);
  int microsoft = contains(s, "Microsoft!", 10);
  if (hello && world && at && microsoft) reach_error();
  return 0;
}
