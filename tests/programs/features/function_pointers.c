// Calls through tables, through struct members, through a symbolic index, and compared pointers.
// paths: 4
// exit: 0
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

typedef int (*operation)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

struct shape { operation op; int left; };
static const operation table[3] = {add, sub, mul};

static int apply(const struct shape *s, int right) { return s->op(s->left, right); }
static operation choose(unsigned n) { return n < 3 ? table[n] : 0; }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n >= 3)
    return 0;
  operation op = add;
  if (n == 1)
    op = sub;
  else if (n == 2)
    op = mul;
  struct shape s = {op, 7};
  int r = apply(&s, 5);
  assert(op == table[n] && choose(3) == 0);
  assert((n == 0 && r == 12) || (n == 1 && r == 2) || (n == 2 && r == 35));
  return 0;
}
