// goto: out of nested loops, backwards, into the middle of a loop.
// paths: 5
// exit: 0
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0, steps = 0;
  if (n > 3)
    goto end;
again:
  if (steps < n) {
    steps++;
    goto again;
  }
  for (i = 0; i < 4; i++)
    for (j = 0; j < 4; j++)
      if (i * j == 6)
        goto found;
  assert(0);
found:
  assert(i == 2 && j == 3 && steps == n);
  i = 10;
  goto middle;
  for (; i < 13; i++) {
    steps++;
  middle:
    j++;
  }
  assert(i == 13 && j == 6 && steps == n + 2);
end:
  return 0;
}
