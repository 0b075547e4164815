/* UNREACHABLE. As oneloop; the loop is in a function. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

__attribute__((noinline)) static int climb(int goal) {
  int i = 0;
  while (i < goal) i += 4;
  return i;
}

int main(void) {
  if (climb(__VERIFIER_nondet_int()) == 15) reach_error();
  return 0;
}
