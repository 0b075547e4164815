// A list on the heap, as long as an input says.
// verdict: FALSE
#include "verifier.h"
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *head = 0;
  int n = __VERIFIER_nondet_uchar() % 4, sum = 0, length = 0;
  for (int i = 0; i < n; i++) {
    struct node *node = malloc(sizeof *node);
    if (!node) return 0;
    node->value = i;
    node->next = head;
    head = node;
  }
  for (struct node *at = head; at; at = at->next) {
    // expect: TRUE @+1
    assert(at->value == n - 1 - length);
    sum += at->value;
    length++;
  }
  // expect: TRUE @+1
  assert(length == n);
  // expect: FALSE @+1
  assert(sum != 3);
  // expect: TRUE @+1
  assert(sum <= 3);
}
