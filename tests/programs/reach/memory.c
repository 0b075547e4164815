// Values that go through memory: arrays at symbolic indices, structs, the heap, a list.
#include <stdlib.h>
#include "../verify/verifier.h"

struct node {
  int value;
  struct node *next;
};

int main(void) {
  int squares[8], i, k = __VERIFIER_nondet_int() & 7;
  struct node *list = 0;
  for (i = 0; i < 8; i++) squares[i] = i * i;
  if (squares[k] == 36)
    // reach: REACHED line @+1
    k = 6;
  else if (squares[k] == 35)
    // reach: UNREACHABLE line @+1
    k = 5;
  for (i = 0; i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    if (!node) return 0;
    node->value = __VERIFIER_nondet_int();
    node->next = list;
    list = node;
  }
  if (list->next->next->value == 5 && list->value == 6)
    // reach: REACHED line @+1
    return 1;
  if (list->next->next->next)
    // reach: UNREACHABLE line @+1
    return 2;
  return 0;
}
