/* REACHED. "Hello", "World", "At" and "Microsoft!" are in the string; each is looked for from its beginning. */
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);
extern void reach_error(void);

#define LENGTH 30

static const char hello_word[] = "Hello";
static const char world_word[] = "World";
static const char at_word[] = "At";
static const char microsoft_word[] = "Microsoft!";

int main(void) {
  char s[LENGTH];
  int i, k;
  int hello = 0, world = 0, at = 0, microsoft = 0;
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

  k = 0;
  for (i = 0; i < LENGTH && s[i] != 0; i++) {
    if (s[i] == world_word[k]) {
      k++;
      if (k == 5) {
        world = 1;
        break;
      }
    } else {
      k = 0;
    }
  }

  k = 0;
  for (i = 0; i < LENGTH && s[i] != 0; i++) {
    if (s[i] == at_word[k]) {
      k++;
      if (k == 2) {
        at = 1;
        break;
      }
    } else {
      k = 0;
    }
  }

  k = 0;
  for (i = 0; i < LENGTH && s[i] != 0; i++) {
    if (s[i] == microsoft_word[k]) {
      k++;
      if (k == 10) {
        microsoft = 1;
        break;
      }
    } else {
      k = 0;
    }
  }

  if (hello && world && at && microsoft) reach_error();
  return 0;
}
