/* As ring_safe, but one more is taken in than there are places: the oldest is lost. */
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

#define PLACES 4

int main(void) {
  int ring[PLACES] = {0};
  int first = 0, count = 0, next_in = 1, next_out = 1;
  for (int step = 0; step < 7; step++) {
    if (__VERIFIER_nondet_bool()) {
      if (count <= PLACES) {
        ring[(first + count) % PLACES] = next_in++;
        count++;
      }
    } else if (count > 0) {
      assert(ring[first] == next_out);
      next_out++;
      first = (first + 1) % PLACES;
      count--;
    }
  }
  assert(next_in - next_out == count);
  return 0;
}
