// The length of a text in a buffer of eight is at most seven.
// verdict: TRUE
// inputs: 97*7 0
#include "../task.h"

int main(void) {
  char text[9];
  for (int i = 0; i < 8; i++) text[i] = (char)__VERIFIER_nondet_char();
  text[MUTANT(7, 8)] = 0;
  int length = 0;
  while (text[length] != 0) length++;
  assert(length < MUTANT(8, 7));
  return 0;
}
