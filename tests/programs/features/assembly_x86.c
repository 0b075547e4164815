// Inline assembly of the usual kinds: barriers, byte swaps, what the processor says.
// target: x86_64-linux-gnu
// paths: 4
// exit: 0
#include <assert.h>
#include <stdint.h>

static uint32_t swapped(uint32_t x) {
  __asm__("bswap %0" : "+r"(x));
  return x;
}

int main(void) {
  uint64_t y = 0x0102030405060708;
  uint16_t h = 0x1234;
  unsigned low, high, a = 0, b, c = 0, d;
  __asm__ volatile("" ::: "memory");
  __asm__ volatile("rep; nop");
  __asm__ volatile("mfence" ::: "memory");
  __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory");
  __asm__("bswapq %0" : "=r"(y) : "0"(y));
  __asm__("rorw $8, %w0" : "+r"(h));
  __asm__("xchgb %b0,%h0" : "+Q"(h));
  __asm__("rolw $8, %0" : "+r"(h));
  __asm__ volatile("" : "+r"(y), "+r"(h));
  assert(swapped(0x01020304) == 0x04030201 && y == 0x0807060504030201 && h == 0x3412);
  __asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high));
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  if (low == 7) return d & 1 ? 0 : 0 * high;
  if (b == 0x756e6547) return 0;
  return 0;
}
