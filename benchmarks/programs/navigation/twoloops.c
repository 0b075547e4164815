/* UNREACHABLE. As oneloop; how far the second loop goes depends on where the first one ends. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0, j = 0;
  while (i < n) i += 4;
  while (j < i) j += 2;
  if (j == 15) reach_error();
  return 0;
}
