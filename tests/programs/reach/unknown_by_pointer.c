// A function that nobody defines, called where chains do not look: behind a pointer, and with a struct by value.
// reach: UNKNOWN label written (not defined)
// reach: UNKNOWN label copied (not defined)
extern void outside(int *);
extern int __VERIFIER_nondet_int(void);

struct large {
  int words[9];
};

static int cell, other;

static void first(void) { outside(&cell); }
static void second(void) { outside(&cell); }
static void third(struct large value) { outside(&other); }

static void (*volatile chosen)(void);

int main(void) {
  struct large value = {{0}};
  chosen = __VERIFIER_nondet_int() ? first : second;
  chosen();
  if (cell == 1) { written: return 1; }
  third(value);
  if (other == 1) { copied: return 2; }
  return 0;
}
