// The same on another processor.
// target: aarch64-linux-gnu
// paths: 2
// exit: 0
#include <assert.h>
#include <stdint.h>

int main(void) {
  uint32_t r, x = 0x01020304;
  uint64_t q, t;
  __asm__ volatile("dmb ish" ::: "memory");
  __asm__ volatile("isb");
  __asm__ volatile("yield");
  __asm__("rev %w0, %w1" : "=r"(r) : "r"(x));
  __asm__("rev %0, %1" : "=r"(q) : "r"((uint64_t)x));
  __asm__("rev16 %w0, %w0" : "+r"(x));
  assert(r == 0x04030201 && q == 0x0403020100000000 && x == 0x02010403);
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
  if (t > 1000) return 0;
  return 0;
}
