// exit: 0
// Accesses with less than the usual alignment that the source asks for.
#include <string.h>

struct __attribute__((packed)) packed {
  char c;
  int x;
  short a[3];
  union {
    int i;
    float f;
  } u;
  int low : 7;
  int high : 20;
};
struct bytes {
  char c[8];
};
struct pair {
  int a, b;
};
struct one {
  float f;
} __attribute__((packed));

static int first(struct bytes n) { return n.c[1]; }
static int second(struct pair t) { return t.b; }
static int single(struct one o) { return (int)o.f; }

int main(void) {
  _Alignas(8) char b[32] = {0};
  struct packed p = {0}, many[2] = {{0}};
  struct bytes n = {{0}};
  struct pair t = {0};
  struct one o[2] = {{0}};
  int s = ((struct packed *)(b + 3))->x + ((struct packed *)(b + 3))->a[1];
  p.u.f = 1;
  p.high = 3;
  many[1].x = 2;
  s += p.x + p.a[1] + p.u.i + p.low + p.high + many[1].x + many[1].a[2];
  s += first(n) + second(t) + single(o[1]);
  int w;
  memcpy(&w, b + 1, sizeof w);
  memcpy(b + 3, &w, sizeof w);
  s += *(int *)(b + 4) + *(char *)(b + 1);
  return (s + w) & 0;
}
