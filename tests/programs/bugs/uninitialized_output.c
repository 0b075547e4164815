// exit: 1
// Values that were never set, where they choose, and where they leave the program.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern int __VERIFIER_nondet_int(void);

struct padded {
  char c;
  int i;
};

int main(void) {
  int n = __VERIFIER_nondet_int(), x;
  double d;
  char buffer[8], *text, c;
  struct padded s;
  if (n > 100) {
    x = 1, d = 1, text = buffer, c = 1;
    memset(buffer, 0, sizeof buffer);
    memset(&s, 0, sizeof s);
  }
  s.c = 1;
  s.i = 2;
  if (n == 99)
    // expect: uninitialized @+1
    return x;
  switch (n & 15) {
  case 0:
    // expect: uninitialized @+1
    printf("%d\n", x);
    break;
  case 1:
    // expect: uninitialized @+1
    printf("%f\n", d);
    break;
  case 2:
    // expect: uninitialized @+1
    printf("%s\n", text);
    break;
  case 3:
    // expect: uninitialized @+1
    printf("%s\n", buffer);
    break;
  case 4:
    // expect: uninitialized @+1
    putchar(c);
    break;
  case 5:
    // expect: uninitialized @+1
    puts(buffer);
    break;
  case 6:
    // expect: uninitialized @+1
    if (write(1, buffer, 8) != 8)
      return 1;
    break;
  case 7:
    // expect: uninitialized @+1
    fwrite(&x, sizeof x, 1, stdout);
    break;
  case 8:
    // expect: uninitialized @+1
    exit(x);
  case 9:
    // expect: uninitialized @+1
    x = x ? 1 : 2;
    break;
  case 10:
    // expect: uninitialized @+1
    fputs(buffer, stdout);
    break;
  case 11:
    // expect: uninitialized @+1
    fputc(c, stderr);
    break;
  case 12:
    // expect: uninitialized @+1
    printf("%p\n", (void *)text);
    break;
  case 13:
    // Padding counts: it carries what memory had in it before.
    // expect: uninitialized @+1
    fwrite(&s, sizeof s, 1, stdout);
    break;
  case 14:
    // expect: uninitialized @+1
    snprintf(buffer, sizeof buffer, "%d", x);
    break;
  case 15:
    printf("no use of it\n", x);
    break;
  }
  return 0;
}
