// exit: 0
// Values that were never set, copied and computed with, but of no consequence.
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct padded {
  char c;
  int i;
};
struct bits {
  unsigned a : 3;
  unsigned b : 5;
};
union mixed {
  char c;
  int i;
};

int main(void) {
  int n = __VERIFIER_nondet_int();
  struct padded s, t;
  s.c = 1, s.i = n;
  t = s;
  memcpy(&s, &t, sizeof s);
  struct bits b;
  b.a = n;
  struct bits copy = b;
  union mixed u;
  u.c = 3;
  union mixed w = u;
  char buffer[16], other[16], part[3];
  strcpy(buffer, "abc");
  memcpy(other, buffer, sizeof buffer);
  part[0] = 'a', part[1] = 'b';
  unsigned x, y = x;
  y = (y + 1) * 2;
  printf("%d %d %c %u\n", s.i, copy.a, w.c, y & 1);
  printf("%s %.3s %.2s\n", other, other, part);
  puts(buffer);
  fwrite(buffer, 1, 4, stdout);
  fwrite(&s.i, sizeof s.i, 1, stdout);
  putchar(other[2]);
  snprintf(buffer, sizeof buffer, "%d", n & 7);
  puts(buffer);
  return (t.c ? 0 : 1) | (int)((y & 1) << 4);
}
