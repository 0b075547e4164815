/* A function, tested without a main. Try: clew test examples/median.c --function median */
#include <assert.h>

int median(int a, int b, int c) {
  int m = c;
  if (b < c) {
    if (a < b)
      m = b;
    else if (a < c)
      m = b; /* wrong: should be a */
  } else {
    if (a > b)
      m = b;
    else if (a > c)
      m = a;
  }
  assert((a <= m) + (b <= m) + (c <= m) >= 2 && (a >= m) + (b >= m) + (c >= m) >= 2);
  return m;
}
