// A constant index out of range: an optimizing compiler would delete the access.
// exit: 1
int main(void) {
  volatile int sink;
  int table[4] = {1, 2, 3, 4};
  int *p = table;
  // expect: out-of-bounds @+1
  sink = p[4];
  return sink & 0;
}
