// Functions as targets: defined, not defined, called through a pointer, turned into something else by the compiler.
// reach: REACHED call checked
// reach: REACHED call through_pointer
// reach: REACHED call reach_error
// reach: REACHED call memcpy
// reach: UNREACHABLE call never (never called from main)
// reach: UNREACHABLE call too_late
// reach: REACHED call main
// reach: REACHED call puts
#include <stdio.h>
#include <string.h>
#include "../verify/verifier.h"

static int count;

static void checked(int x) {
  if (x == 12) reach_error();
}

static void through_pointer(int x) { count += x; }

static void too_late(void) { puts("not this way"); }

static void never(int x) { checked(x); }

static void (*const table[])(int) = {checked, through_pointer};

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  char text[4] = "abc", copy[4];
  table[x > 100](x);
  if (count > 200) memcpy(copy, text, 4);
  if (count > 300) too_late();
  if (count == 101) puts("here");
}
