// Local variables of blocks that are left and entered in every way there is: each lives while its block is run.
// exit: 0
#include <assert.h>
#include <setjmp.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

static jmp_buf out;
struct pair {
  int a, b;
};

static int of(const int *p) { return *p; }
static struct pair twice(struct pair p) { return (struct pair){p.b, p.a}; }

static int jumps(int k) {
  int sum = 0;
again: {
  int x = k;
  sum += of(&x);
  if (k > 0 && k < 4) {
    k--;
    goto again;
  }
}
  return sum;
}

static int into_a_block(int k) {
  int sum = 0;
  if (k & 1) goto inside;
  for (int i = 0; i < 3; i++) {
    int x;
    x = i;
    sum += of(&x);
  inside:
    x = 1;
    sum += of(&x);
    if (k & 1) break;
  }
  return sum;
}

static int past_a_declaration(int k) {
  switch (k) {
    int y;
    case 1: y = 4; return of(&y);
    case 2: y = 5; return of(&y) + 1;
    default: return 0;
  }
}

static int rounds(int n) {
  int sum = 0, *last = &sum;
  for (int i = 0; i < n; i++) {
    int x = i, *p = &x;
    if (i == 1) continue;
    if (i == 5) break;
    for (int j = 0; j < 2; j++) {
      int y = *p + j;
      *last += of(&y);
    }
  }
  return sum;
}

static int out_of_a_call(int k) {
  volatile int count = 0;
  int back = setjmp(out);
  if (back < 3) {
    int x = back;
    count += of(&x);
    if (k) longjmp(out, back + 1);
  }
  return count;
}

static int back_before_a_block(int k) {
  volatile int count = 0, sum = 0;
  setjmp(out);
  count++;
  {
    int x[2] = {k, count};
    sum += of(x) + of(x + 1);
  }
  if (count < 3) longjmp(out, 1);
  return sum;
}

static int back_into_a_block(int k) {
  volatile int count = 0, sum = 0;
  {
    int x[1];
    setjmp(out);
    x[0] = k;
    count++;
    sum += of(x);
  }
  if (count < 3) longjmp(out, 1);
  return sum;
}

static int results(int k) {
  int sum = 0;
  for (int i = 0; i < 2; i++) sum += twice(twice((struct pair){k, i})).b + twice((struct pair){1, 2}).a;
  return sum;
}

static int depth(int n) {
  int here = n;
  {
    int below = n ? depth(n - 1) : 0;
    here += of(&below);
  }
  return of(&here);
}

int main(void) {
  const int sums[] = {0, 1, 1, 6, 13, 22, 22, 22};
  int k = __VERIFIER_nondet_uchar() & 15;
  assert(jumps(k) == (k > 3 ? k : k * (k + 1) / 2));
  assert(into_a_block(k) == (k & 1 ? 1 : 6));
  assert(past_a_declaration(k) == (k == 1 ? 4 : k == 2 ? 6 : 0));
  assert(rounds(k % 8) == sums[k % 8]);
  assert(out_of_a_call(k > 9) == (k > 9 ? 3 : 0));
  assert(back_before_a_block(k) == 3 * k + 6);
  assert(back_into_a_block(k) == 3 * k);
  assert(results(3) == 1 + 4);
  assert(depth(k % 5) == (k % 5) * (k % 5 + 1) / 2);
}
