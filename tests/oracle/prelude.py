"""The fixed part of every generated program: inputs, checksum, guarded operations, fuel."""

from __future__ import annotations

from oracle.vocabulary import INTEGERS, CType

HEAD = """\
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every loop iteration and every call burns fuel, which bounds the run time of any program drawn. */
static int fuel = FUEL;
static unsigned long long checksum = 14695981039346656037ull;

static void mix(unsigned long long value) {
  checksum ^= value;
  checksum *= 1099511628211ull;
  checksum ^= checksum >> 29;
}

/* The bits of a NaN are the machine's business: all NaNs count the same. */
static void mix_double(double value) {
  unsigned long long bits = 42;
  if (value == value)
    memcpy(&bits, &value, sizeof bits);
  mix(bits);
}

static void mix_float(float value) {
  unsigned bits = 43;
  if (value == value)
    memcpy(&bits, &value, sizeof bits);
  mix(bits);
}

static float number(float value) { return value == value ? value : 0.0f; }

static long long to_integer(double value) {
  return value > -9.0e18 && value < 9.0e18 ? (long long)value : 0;
}

static long long add_all(int count, ...) {
  unsigned long long sum = 0;
  va_list list;
  va_start(list, count);
  for (int i = 0; i < count; i++) {
    if (i % 3 == 2)
      sum += (unsigned long long)to_integer(va_arg(list, double));
    else if (i % 3 == 1)
      sum ^= (unsigned long long)va_arg(list, long long);
    else
      sum = sum * 31u + (unsigned)va_arg(list, int);
  }
  va_end(list);
  return (long long)sum;
}
"""

DIVISIONS = """\
static {spelling} div_{tag}({spelling} a, {spelling} b) {{ return {guard} ? a : ({spelling})(a / b); }}
static {spelling} rem_{tag}({spelling} a, {spelling} b) {{ return {guard} ? b : ({spelling})(a % b); }}
"""

INPUT_TAGS = tuple(t.tag for t in INTEGERS)


def divisions(type_: CType) -> str:
    """The guarded division of one type: by zero, and the one signed quotient that does not fit, give an operand."""
    guard = "b == 0"
    if type_.signed and type_.bits >= 32:
        smallest = f"({type_.spelling})(({type_.wide})1 << {type_.last_bit})"
        guard = f"(b == 0 || (b == -1 && a == {smallest}))"
    return DIVISIONS.format(spelling=type_.spelling, tag=type_.tag, guard=guard)


def prelude(fuel: int) -> str:
    inputs = "".join(f"extern {t.spelling} __VERIFIER_nondet_{t.tag}(void);\n" for t in INTEGERS)
    return HEAD.replace("FUEL", str(fuel)) + "\n" + "".join(map(divisions, INTEGERS)) + "\n" + inputs
