// The first program of KLEE's tutorial: three ways through it.
// paths: 3
// exit: 0
extern int __VERIFIER_nondet_int(void);

int get_sign(int x) {
  if (x == 0)
    return 0;
  if (x < 0)
    return -1;
  else
    return 1;
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  return get_sign(a) == 2;
}
