/* Integers of 128 bits: what compilers call for, where no instruction does it, and have in a library of their own.

   Division by zero, and numbers that do not fit, never come here. */

#include "native.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

static int leading_zeros(u128 number) {
  u64 high = (u64)(number >> 64);
  return high ? __builtin_clzll(high) : 64 + __builtin_clzll((u64)number);
}

/* The quotient, bit by bit; the remainder goes to *rest. */
static u128 divided(u128 number, u128 by, u128 *rest) {
  u128 quotient = 0;
  if (!(number >> 64) && !(by >> 64)) {
    *rest = (u64)number % (u64)by;
    return (u64)number / (u64)by;
  }
  if (number >= by)
    for (int place = leading_zeros(by) - leading_zeros(number); place >= 0; place--)
      if (number >= by << place) {
        number -= by << place;
        quotient |= (u128)1 << place;
      }
  *rest = number;
  return quotient;
}

static u128 size_of(s128 number) {
  return number < 0 ? -(u128)number : (u128)number;
}

u128 __udivti3(u128 number, u128 by) {
  u128 rest;
  return divided(number, by, &rest);
}

u128 __umodti3(u128 number, u128 by) {
  u128 rest;
  divided(number, by, &rest);
  return rest;
}

s128 __divti3(s128 number, s128 by) {
  u128 quotient = __udivti3(size_of(number), size_of(by));
  return (s128)((number < 0) != (by < 0) ? -quotient : quotient);
}

s128 __modti3(s128 number, s128 by) {
  u128 rest = __umodti3(size_of(number), size_of(by));
  return (s128)(number < 0 ? -rest : rest);
}

/* The first 64 bits of a number that has more; the last one also says whether there is anything behind them. */
static u64 beginning(u128 number, int zeros) {
  number <<= zeros;
  return (u64)(number >> 64) | !!(u64)number;
}

static double power_of_two(int exponent) {
  union { u64 bits; double number; } word = {(u64)(exponent + 1023) << 52};
  return word.number;
}

double __floatuntidf(u128 number) {
  if (!(number >> 64))
    return (double)(u64)number;
  int zeros = leading_zeros(number);
  return (double)beginning(number, zeros) * power_of_two(64 - zeros);
}

float __floatuntisf(u128 number) {
  if (!(number >> 64))
    return (float)(u64)number;
  int zeros = leading_zeros(number);
  return (float)beginning(number, zeros) * (float)power_of_two(64 - zeros);
}

double __floattidf(s128 number) {
  double size = __floatuntidf(size_of(number));
  return number < 0 ? -size : size;
}

float __floattisf(s128 number) {
  float size = __floatuntisf(size_of(number));
  return number < 0 ? -size : size;
}

u128 __fixunsdfti(double number) {
  if (number < power_of_two(64))
    return (u64)number;
  u64 high = (u64)(number * power_of_two(-64));
  return (u128)high << 64 | (u64)(number - (double)high * power_of_two(64));
}

s128 __fixdfti(double number) {
  u128 size = __fixunsdfti(number < 0 ? -number : number);
  return (s128)(number < 0 ? -size : size);
}

u128 __fixunssfti(float number) {
  return __fixunsdfti(number);
}

s128 __fixsfti(float number) {
  return __fixdfti(number);
}
