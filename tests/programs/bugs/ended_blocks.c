// exit: 1
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

static void set(int *p) { *p = 5; }

static int kept(int k) {
  int *p = 0;
  if (k > 3) {
    int local = k;
    p = &local;
    k = *p;
  }
  // expect: use-after-free @+1
  return p ? *p : k;
}

static int kept_at_an_index(int k) {
  char *name = "none", found = 0;
  {
    char text[4] = "abc";
    if (k == 9) name = text;
    // a sibling reads from the constant
    found = name[k % 3];
  }
  // expect: use-after-free @+1
  return name[k % 3] == found;
}

static int written_in_the_first_round(int k) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    int cells[2];
    if (i == 0) cells[0] = cells[1] = 5;
    // expect: uninitialized @+1
    if (cells[k & 1] == 5) sum++;
  }
  return sum;
}

static int set_by_another(int k) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int x;
    if (i != k) set(&x);
    // expect: uninitialized @+1
    if (x == 5) sum++;
  }
  return sum;
}

int main(void) {
  int k = __VERIFIER_nondet_uchar();
  switch (__VERIFIER_nondet_uchar()) {
    case 0: return kept(k);
    case 1: return kept_at_an_index(k);
    case 2: return written_in_the_first_round(k);
    case 3: return set_by_another(k);
  }
  return 0;
}
