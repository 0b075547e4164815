// A list of any length is built, and all of it is the same.
// verdict: TRUE
// inputs: 1 1 0
#include "../task.h"

typedef struct node { int h; struct node *n; } *List;
void *malloc(unsigned long);
int main(void) {
  List a = (List) malloc(sizeof(struct node));
  List t, p = a;
  a->h = 2;
  while (__VERIFIER_nondet_int()) {
    p->h = MUTANT(1, 2);
    t = (List) malloc(sizeof(struct node));
    p->n = t;
    p = p->n;
  }
  p->h = 1; p->n = 0;
  p = a;
  while (p != 0) { if (p->h != 1) { ERROR: { reach_error(); } } p = p->n; }
  return 0;
}
