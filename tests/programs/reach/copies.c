// Structs that are copied, returned and passed by value in loops; memcpy and memset.
#include <string.h>
#include "../verify/verifier.h"

struct pair {
  long sum;
  int factor, list[3];
};

static struct pair next(struct pair old, int i) {
  old.sum += i;
  old.factor *= 2;
  old.list[i % 3] = old.factor;
  return old;
}

int main(void) {
  int n = __VERIFIER_nondet_int(), words[2] = {5, 5};
  struct pair now = {0, 1, {0}}, before = now;
  for (int i = 0; i < n && i < 4; i++) {
    before = now;
    now = next(now, i);
    if (i == 1) memset(words, 1, sizeof words);
    else words[1]++;
    if (i == 2) memcpy(&before.list, words, sizeof words);
  }
  // reach: REACHED label four
  if (now.sum == 6 && now.factor == 16 && before.list[2] == 8) { four: return 1; }
  // reach: REACHED label three
  if (before.list[0] == 0x01010101 && before.list[1] == 0x01010102) { three: return 2; }
  // reach: UNREACHABLE label five
  if (now.factor == 32) { five: return 3; }
  return 0;
}
