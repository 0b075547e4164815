/* Concrete two-dimensional arrays of long and double: address arithmetic, multiplications, float compares. */
#ifndef ROUNDS
#define ROUNDS 40
#endif
#define SIDE 16

static long a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];
static double weight[SIDE];

static long dot(int row, int column) {
  long sum = 0;
  for (int k = 0; k < SIDE; k++)
    sum += a[row][k] * b[k][column];
  return sum;
}

int main(void) {
  double heaviest = 0.0;
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      a[i][j] = i + 2 * j;
      b[i][j] = i ^ j;
    }
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < SIDE; i++) {
      for (int j = 0; j < SIDE; j++)
        c[i][j] = dot(i, j) + round;
      weight[i] = weight[i] * 0.5 + (double)c[i][i];
      if (weight[i] > heaviest)
        heaviest = weight[i];
    }
  return heaviest < 1.0;
}
