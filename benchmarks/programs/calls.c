/* Concrete work spread over small functions: calls with pointer arguments, nested loops, recursion. */
#ifndef ROUNDS
#define ROUNDS 250
#endif
#define SIZE 64

static int numbers[SIZE];

static int smaller(const int *a, const int *b) { return *a < *b; }

static void swap(int *a, int *b) {
  int kept = *a;
  *a = *b;
  *b = kept;
}

static void fill(int *to, int count, unsigned seed) {
  for (int i = 0; i < count; i++) {
    seed = seed * 1103515245u + 12345u;
    to[i] = (int)(seed >> 16 & 0x7fff);
  }
}

static void sort(int *all, int from, int to) {
  while (from < to) {
    int low = from, high = to;
    int pivot = all[from + (to - from) / 2];
    while (low <= high) {
      while (smaller(&all[low], &pivot))
        low++;
      while (smaller(&pivot, &all[high]))
        high--;
      if (low <= high)
        swap(&all[low++], &all[high--]);
    }
    sort(all, from, high);
    from = low;
  }
}

int main(void) {
  int wrong = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    fill(numbers, SIZE, round);
    sort(numbers, 0, SIZE - 1);
    for (int i = 1; i < SIZE; i++)
      wrong += smaller(&numbers[i], &numbers[i - 1]);
  }
  return wrong != 0;
}
