// exit: 1
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };

static int last(const struct node *n) {
  while (n->next)
    n = n->next;
  return n->value;
}

static int second(const struct node *n) {
  // expect: null-dereference @+1
  return n->next->value;
}

int main(void) {
  struct node b = {2, NULL}, a = {1, &b};
  if (last(&a) != 2)
    return 1;
  return second(__VERIFIER_nondet_int() ? &a : &b) == 3;
}
