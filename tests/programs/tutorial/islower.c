// KLEE's second tutorial program: below 'a', between, above 'z'.
// paths: 3
// exit: 0
#include <klee/klee.h>

int my_islower(int x) {
  if (x >= 'a' && x <= 'z')
    return 1;
  else
    return 0;
}

int main(void) {
  char c;
  klee_make_symbolic(&c, sizeof(c), "input");
  return my_islower(c);
}
