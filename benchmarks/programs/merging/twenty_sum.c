// Twenty independent decisions that are counted. The count is an index, and every count is a valid one.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int cells[24] = {0};
  int sum = 0;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  if (rand() & 1)
    sum++;
  cells[sum] = 1;
  printf("%d\n", cells[0]);
  return 0;
}
