/* Takes two from a number as long as there is something left, and counts. What is left, and how often that went, add up to the
   number, however large it is. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int number = __VERIFIER_nondet_int();
  if (number < 0) return 0;
  int left = number, count = 0;
  while (left > 0) {
    left = left - 2;
    count = count + 1;
  }
  assert(2 * count + left == number);
  assert(left == 0 || left == -1);
  return 0;
}
