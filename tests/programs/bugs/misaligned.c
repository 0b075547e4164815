// exit: 1
// check: alignment
extern int __VERIFIER_nondet_int(void);

struct pair {
  int a, b;
};
union cell {
  long long wide;
  char bytes[8];
};
static char shared[32];

int main(void) {
  _Alignas(8) char b[32] = {0};
  _Alignas(8) int v[4] = {0};
  _Alignas(8) char rows[4][8] = {{0}};
  union cell cell = {0};
  int n = __VERIFIER_nondet_int();
  switch (n) {
  case 0:
    return 1 & *(int *)(b + 4);
  case 1:
    // expect: misaligned @+1
    return 1 & *(int *)(b + 1);
  case 2:
    // expect: misaligned @+1
    *(long long *)&b[2] = 1;
    return 0;
  case 3:
    // expect: misaligned @+1
    return 1 & *(short *)(shared + 1);
  case 4:
    // expect: misaligned @+1
    return 1 & (int)*(double *)&v[1];
  case 5:
    // expect: misaligned @+1
    return 1 & ((struct pair *)(b + 6))->b;
  case 6:
    // expect: misaligned @+1
    return *(char **)(b + 3) != 0;
  case 7:
    // expect: misaligned @+1
    return 1 & ((int *)(b + 1))[1];
  case 8:
    // expect: misaligned @+1
    return 1 & *(int *)&rows[1][__VERIFIER_nondet_int() & 7];
  case 9:
    // expect: misaligned @+1
    *(int *)(cell.bytes + 3) = n;
    return 0;
  case 10:
    return 1 & *(int *)(shared + 8) & *(int *)(cell.bytes + 4);
  }
  return 0;
}
