// A stack of inputs: last in, first out, never over its end.
// verdict: TRUE
// inputs: 1 1 1 1 1 1 1 1 1
// check: memory,assert
#include "../task.h"

int main(void) {
  int stack[8], top = 0;
  while (1) {
    int e = __VERIFIER_nondet_int();
    if (e == 1 && top MUTANT(<, <=) 8) stack[top++] = e;
    if (e == 2 && top > 0) assert(stack[--top] == 1);
    if (e == 3) break;
  }
  return 0;
}
