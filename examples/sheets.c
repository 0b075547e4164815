/* A printer puts 64 lines on a page and 4 pages on a sheet. How often the loops run is up to the length of the text.

   clew test examples/sheets.c */

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned lines = __VERIFIER_nondet_uint();
  unsigned pages = 1, sheets = 1;

  while (lines > 64) {
    lines -= 64;
    pages++;
  }
  while (pages > 4) {
    pages -= 4;
    sheets++;
  }
  if (pages == 1 && lines < 3)
    return 1; /* hardly anything is on the last sheet: print it smaller */
  assert(sheets <= 25000); /* wrong: so many are in the tray, and the text may be longer */
  return 0;
}
