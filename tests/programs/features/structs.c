// Structs by value: as parameters, as results, nested, big enough for memory and small enough for registers.
// paths: 3
// exit: 0
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct point { int x, y; };
struct box { struct point low, high; long weight; char name[5]; };
struct mixed { float f; double d; char c; };

static struct point swapped(struct point p) { return (struct point){p.y, p.x}; }

static struct box grown(struct box b, int by) {
  b.high.x += by;
  b.high = swapped(b.high);
  b.name[0] = 'B';
  return b;
}

static struct mixed twice(struct mixed m) {
  m.f *= 2;
  m.d *= 2;
  m.c++;
  return m;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100)
    return 0;
  struct box a = {{1, 2}, {3, 4}, 7, "abcd"};
  struct box b = grown(a, n);
  assert(a.high.x == 3 && a.name[0] == 'a');
  assert(b.high.x == 4 && b.high.y == 3 + n && b.name[0] == 'B' && b.name[3] == 'd' && b.weight == 7);
  struct mixed m = twice((struct mixed){1.5f, 2.25, 'x'});
  assert(m.f == 3.0f && m.d == 4.5 && m.c == 'y');
  return 0;
}
