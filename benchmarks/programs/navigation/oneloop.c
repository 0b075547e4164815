/* UNREACHABLE. Steps of 4 from 0 do not lead to 15, however far they go. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  while (i < n) i += 4;
  if (i == 15) reach_error();
  return 0;
}
