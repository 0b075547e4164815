// exit: 0
// Types that ask for less than the usual alignment.
typedef int loose __attribute__((aligned(1)));
typedef short loose_alias __attribute__((aligned(1), may_alias));
struct mixed {
  loose x;
  char c;
  loose y;
};

int main(void) {
  _Alignas(8) char b[32] = {0};
  struct mixed q = {0};
  loose v = 3, several[3] = {0};
  loose *p = (loose *)(b + 5);
  int s = *(loose *)(b + 1) + *(loose_alias *)(b + 3) + *p + p[1];
  *(loose *)&b[7] = s;
  return (s + q.x + q.y + v + several[1] + several[2]) & 0;
}
