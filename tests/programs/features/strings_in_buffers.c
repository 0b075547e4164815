// A string in a larger buffer, with a character of it replaced: what lies behind its end, which has no value, is not read.
// exit: 0
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char price[4] = {__VERIFIER_nondet_char(), __VERIFIER_nondet_char(), __VERIFIER_nondet_char(), 0};
  char *comma = strchr(price, ',');
  if (!comma)
    return 0;
  char line[100];
  strcpy(line, price);
  line[comma - price] = '.';
  int scanned = 0;
  long euros = strtol(line, NULL, 10);
  assert(euros >= -9 && euros <= 99);
  if (sscanf(line, "%d", &scanned) == 1)
    assert(scanned == euros);
  return 0;
}
