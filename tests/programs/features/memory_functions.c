// memcpy, memmove with overlap, memset, memcmp, strings; symbolic bytes travel through all of them.
// exit: 0
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct record { int key; char text[12]; double value; };

int main(void) {
  struct record a = {__VERIFIER_nondet_int(), "clew", 2.5}, b;
  memset(&b, 0, sizeof b);
  assert(b.key == 0 && b.text[11] == 0 && b.value == 0.0);
  memcpy(&b, &a, sizeof b);
  assert(b.key == a.key && strcmp(b.text, "clew") == 0 && b.value == 2.5);
  char line[8] = "abcdef";
  memmove(line + 2, line, 5);
  assert(memcmp(line, &"abababcde"[2], 2) == 0 && line[2] == 'a' && line[6] == 'e');
  int *many = malloc(1000 * sizeof *many);
  if (!many)
    return 0;
  memset(many, 0xff, 1000 * sizeof *many);
  many[500] = a.key;
  assert(many[499] == -1 && many[500] == b.key && many[501] == -1);
  many = realloc(many, 2000 * sizeof *many);
  assert(!many || many[500] == b.key);
  free(many);
  return strlen("four") == 4 ? 0 : 1;
}
