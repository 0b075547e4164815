// Steps between bounds, up to something that is an input itself, and in bytes that wrap.
// chains: yes
#include "../verify/verifier.h"

int main(void) {
  int sum = 0, most = __VERIFIER_nondet_int();
  unsigned char byte = 0;
  if (most < 0 || most > 20) return 0;
  for (int i = 0; i < 5; i++) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > most) break;
    sum += x;
    byte += 200 + x;
  }
  // reach: REACHED label top
  if (sum == 35 && most == 7) { top: return 1; }
  // reach: UNREACHABLE label above
  if (sum == 36 && most == 7) { above: return 2; }
  // reach: REACHED label wrapped
  if (byte == 150 && sum == 6) { wrapped: return 3; }
  // reach: UNREACHABLE label below
  if (sum < 0) { below: return 4; }
  return 0;
}
