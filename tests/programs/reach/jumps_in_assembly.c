// asm goto: its targets are no edges here.
// reach: UNKNOWN label there (callbr)
int main(void) {
  int x = 0;
  __asm__ goto("jmp %l0" : : : : side);
  return 0;
side:
  if (x == 0) { there: return 1; }
  return 0;
}
