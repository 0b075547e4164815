// exit: 1
#include <stdlib.h>

int main(void) {
  char *p = malloc(10);
  if (!p)
    return 0;
  // expect: invalid-free @+1
  free(p + 1);
  return 0;
}
