// exit: 1
extern int __VERIFIER_nondet_int(void);

static int main_again(int n) {
  extern int main(void);
  return n == 7 ? main() : 0;
}

int main(void) {
  int n = __VERIFIER_nondet_int(), x;
  if (n == 1)
    x = 1;
  else if (n == 2)
    x = main_again(n);
  // expect: uninitialized @+1
  return x;
}
