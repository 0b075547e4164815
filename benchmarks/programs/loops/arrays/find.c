// What a search finds is there; before it, it is not.
// verdict: TRUE
// inputs: 4 9 9 1 2 9
#include "../task.h"

int main(void) {
  int a[5], key, at;
  for (int i = 0; i < 5; i++) a[i] = __VERIFIER_nondet_int();
  key = __VERIFIER_nondet_int();
  for (at = 0; at < 5; at++)
    if (a[at] == key) break;
  if (at < 5) {
    assert(a[at] == key);
    for (int i = 0; i < at; i++) assert(a[i] != key);
    MUTANT(, assert(at != 1);)
  } else {
    for (int i = 0; i < 5; i++) assert(a[i] != key);
  }
  return 0;
}
