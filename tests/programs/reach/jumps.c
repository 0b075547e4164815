// setjmp and longjmp are not followed: what is behind them is not known.
// reach: UNKNOWN label again (jumps)
#include <setjmp.h>

static jmp_buf place;
static int times;

int main(void) {
  times = 0;
  setjmp(place);
  if (times == 1) { again: return 1; }
  times = 1;
  longjmp(place, 1);
}
