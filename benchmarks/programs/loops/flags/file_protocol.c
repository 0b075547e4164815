// Open, read, close, in order.
// verdict: TRUE
// inputs: 1 3 2
#include "../task.h"

static int is_open;

static void open_it(void) {
  assert(!is_open);
  is_open = 1;
}
static void read_it(void) { assert(is_open); }
static void close_it(void) {
  assert(is_open);
  is_open = 0;
}

int main(void) {
  int mine = 0;
  for (;;) {
    int e = __VERIFIER_nondet_int();
    switch (e) {
      case 1:
        if (!mine) {
          open_it();
          mine = 1;
        }
        break;
      case 2:
        if (mine) read_it();
        break;
      case 3:
        if (mine) {
          close_it();
          mine = MUTANT(0, 1);
        }
        break;
      case 4: return 0;
    }
  }
}
