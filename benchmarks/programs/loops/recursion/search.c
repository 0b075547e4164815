// Binary search by recursion returns an index or minus one.
// verdict: TRUE
// inputs: 7
#include "../task.h"

static const int a[8] = {1, 3, 5, 7, 9, 11, 13, 15};

static int search(int key, int low, int high) {
  if (low >= high) return -1;
  int m = low + (high - low) / 2;
  if (a[m] == key) return m;
  return a[m] < key ? search(key, m + 1, high) : search(key, low, m MUTANT(, - 1));
}

int main(void) {
  int key = __VERIFIER_nondet_int();
  int at = search(key, 0, 8);
  if (key > 0 && key < 16 && key % 2) {
    assert(at == key / 2);
  } else {
    assert(at == -1);
  }
  return 0;
}
