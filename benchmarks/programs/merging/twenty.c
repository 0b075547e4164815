// Twenty independent decisions, none of which matters for what follows them: a bounds check with a hole.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char seen[20] = {0};
  int cells[10] = {0};
  if (rand() & 1)
    seen[0] = 1;
  if (rand() & 1)
    seen[1] = 1;
  if (rand() & 1)
    seen[2] = 1;
  if (rand() & 1)
    seen[3] = 1;
  if (rand() & 1)
    seen[4] = 1;
  if (rand() & 1)
    seen[5] = 1;
  if (rand() & 1)
    seen[6] = 1;
  if (rand() & 1)
    seen[7] = 1;
  if (rand() & 1)
    seen[8] = 1;
  if (rand() & 1)
    seen[9] = 1;
  if (rand() & 1)
    seen[10] = 1;
  if (rand() & 1)
    seen[11] = 1;
  if (rand() & 1)
    seen[12] = 1;
  if (rand() & 1)
    seen[13] = 1;
  if (rand() & 1)
    seen[14] = 1;
  if (rand() & 1)
    seen[15] = 1;
  if (rand() & 1)
    seen[16] = 1;
  if (rand() & 1)
    seen[17] = 1;
  if (rand() & 1)
    seen[18] = 1;
  if (rand() & 1)
    seen[19] = 1;
  int index = rand();
  if (index <= 10) {
    // expect: out-of-bounds @+1
    cells[index] = 1;
    printf("%d\n", cells[0]);
  }
  printf("%d\n", seen[0]);
  return 0;
}
