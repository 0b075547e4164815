// Arrays of variable length: sizes from a loop, two dimensions, sizeof at run time.
// paths: 6
// exit: 0
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

static int total(int n, int m, int grid[n][m]) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum += grid[i][j];
  return sum;
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  int size = 1;
  if (n > 4)
    return 0;
  while (size <= (int)n)
    size++;
  int grid[size][size + 1];
  assert(sizeof grid == (unsigned)(size * (size + 1)) * sizeof(int));
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= size; j++)
      grid[i][j] = i;
  assert(total(size, size + 1, grid) == (size - 1) * size / 2 * (size + 1));
  for (int round = 1; round < 5; round++) {
    char buffer[round];
    buffer[round - 1] = (char)round;
    assert(sizeof buffer == (unsigned)round && buffer[round - 1] == round);
  }
  return 0;
}
