/* Operations in any order, in the style of KLEE. Try: clew test examples/ring.c
 *
 * Clew chooses what is called next: four operations on a ring buffer, whose own count is compared with a counter that
 * is too simple to be wrong.
 */
#include <assert.h>
#include <klee/klee.h>

enum { SIZE = 3 };

static int slots[SIZE];
static unsigned head, tail;

static unsigned count(void) { return (head + SIZE - tail) % SIZE; }

static int put(int value) {
  if (count() == SIZE) /* wrong: never true; a full ring looks like an empty one */
    return 0;
  slots[head] = value;
  head = (head + 1) % SIZE;
  return 1;
}

static int get(int *value) {
  if (count() == 0)
    return 0;
  *value = slots[tail];
  tail = (tail + 1) % SIZE;
  return 1;
}

int main(void) {
  unsigned expected = 0;
  for (int step = 0; step < 4; step++) {
    int value = 0;
    if (klee_range(0, 2, "operation") == 0)
      expected += put(step);
    else
      expected -= get(&value);
    assert(count() == expected);
  }
  return 0;
}
