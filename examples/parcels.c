/* A belt of parcels. Which weights lead to `full`, and can the counters ever disagree with the number of parcels?

   clew reach examples/parcels.c --label full
   clew reach examples/parcels.c --line 31
   clew reach examples/parcels.c --call alarm */

#define PARCELS 12

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void alarm(void);

static int priced(int heavy, int light) {
  if (heavy > light * 10)
    alarm(); /* all but one are heavy */
  return heavy * 9 + light * 2;
}

int main(void) {
  unsigned char weight[PARCELS];
  int heavy = 0, light = 0, i;
  for (i = 0; i < PARCELS; i++) {
    weight[i] = __VERIFIER_nondet_uchar();
    if (weight[i] > 50)
      heavy++;
    else if (weight[i] < 5)
      light++;
  }
  if (heavy == 7 && light == 5)
    goto full;
  if (heavy + light > PARCELS)
    return 2; /* never: a parcel is not heavy and light at once */
  if (light > 0)
    return priced(heavy, light) > 100;
  return 0;
full:
  return 1;
}
