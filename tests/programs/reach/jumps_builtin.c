// The same by intrinsics that the engine does not have, and Clang not for every processor.
// target: x86_64-linux-gnu
// reach: UNKNOWN label again (intrinsic)
static void *place[5];
static int times;

int main(void) {
  times = 0;
  __builtin_setjmp(place);
  if (times == 1) { again: return 1; }
  times = 1;
  __builtin_longjmp(place, 1);
}
