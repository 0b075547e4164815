// A pointer is what moves.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned char bytes[64];

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() & 63;
  unsigned count = 0;
  for (unsigned char *p = bytes; p < bytes + n; p += 2) count++;
  // expect: error-call @+1
  if (count == 31) reach_error();
  // uncovered: true @+1
  if (count > 32) reach_error();
  return 0;
}
