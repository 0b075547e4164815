/* A customer orders a cup, with any of sixteen extras: 65,536 paths to the line that matters.

   clew test examples/extras.c */

#include <stdio.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

static int stock[8] = {5, 5, 5, 5, 5, 5, 5, 5};

static _Bool wanted(void) { return __VERIFIER_nondet_bool(); }

int main(void) {
  if (wanted())
    puts("with a lid");
  if (wanted())
    puts("with a handle");
  if (wanted())
    puts("with a label");
  if (wanted())
    puts("with a ribbon");
  if (wanted())
    puts("with a card");
  if (wanted())
    puts("with a bag");
  if (wanted())
    puts("with a spoon");
  if (wanted())
    puts("with a saucer");
  if (wanted())
    puts("with a strap");
  if (wanted())
    puts("with a spare cup");
  if (wanted())
    puts("with a manual");
  if (wanted())
    puts("with a brush");
  if (wanted())
    puts("with a filter");
  if (wanted())
    puts("with a stand");
  if (wanted())
    puts("with a cover");
  if (wanted())
    puts("with a bell");
  int colour = __VERIFIER_nondet_int();
  if (colour < 0 || colour > 8)
    return 1;
  stock[colour]--; /* wrong: there are eight colours, and the last one is number 7 */
  return 0;
}
