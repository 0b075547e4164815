/* UNREACHABLE. As twoloops; both loops are in one function. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

__attribute__((noinline)) static int climb(int goal, int step) {
  int i = 0;
  while (i < goal) i += step;
  return i;
}

int main(void) {
  if (climb(climb(__VERIFIER_nondet_int(), 4), 2) == 15) reach_error();
  return 0;
}
