/* Twenty independent decisions (a million paths) before an assertion about something else. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned switches = __VERIFIER_nondet_uint();
  unsigned speed = __VERIFIER_nondet_uint();
  unsigned load = 0;
  if (speed > 130)
    speed = 130;
  if (switches & 0x00001) load += 3;
  if (switches & 0x00002) load ^= 5;
  if (switches & 0x00004) load += 7;
  if (switches & 0x00008) load ^= 11;
  if (switches & 0x00010) load += 13;
  if (switches & 0x00020) load ^= 17;
  if (switches & 0x00040) load += 19;
  if (switches & 0x00080) load ^= 23;
  if (switches & 0x00100) load += 29;
  if (switches & 0x00200) load ^= 31;
  if (switches & 0x00400) load += 37;
  if (switches & 0x00800) load ^= 41;
  if (switches & 0x01000) load += 43;
  if (switches & 0x02000) load ^= 47;
  if (switches & 0x04000) load += 53;
  if (switches & 0x08000) load ^= 59;
  if (switches & 0x10000) load += 61;
  if (switches & 0x20000) load ^= 67;
  if (switches & 0x40000) load += 71;
  if (switches & 0x80000) load ^= 73;
  assert(speed * 2 <= 260);
  return (int)(load & 1);
}
