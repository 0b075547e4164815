/* REACHED. A string of at most 30 characters with the word "Hello" in it. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

#define LENGTH 30

static const char hello_word[] = "Hello";

int main(void) {
  char s[LENGTH];
  int i, k;
  int hello = 0;
  klee_make_symbolic(s, sizeof s, "s");

  k = 0;
  for (i = 0; i < LENGTH && s[i] != 0; i++) {
    if (s[i] == hello_word[k]) {
      k++;
      if (k == 5) {
        hello = 1;
        break;
      }
    } else {
      k = 0;
    }
  }

  if (hello) reach_error();
  return 0;
}
