// setjmp and longjmp are followed: what is behind them is reached, or not.
// reach: REACHED label again
// reach: UNREACHABLE label never
#include <setjmp.h>

static jmp_buf place;
static int times;

static void back(void) {
  times++;
  longjmp(place, times);
}

int main(void) {
  times = 0;
  int value = setjmp(place);
  if (times == 2) { again: return value; }
  if (value != times) { never: return 3; }
  back();
}
