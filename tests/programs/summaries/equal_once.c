// A loop that goes on while two values are equal runs once, or not at all.
// exit: 0
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 10, count = 0;
  // loop: none @+1 (over before it was looked at)
  while (i == n) {
    i++;
    count++;
  }
  // uncovered: true @+1
  if (count > 1) reach_error();
  return 0;
}
