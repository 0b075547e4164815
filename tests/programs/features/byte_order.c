// Numbers as networks have them; of a symbolic one, it is known which byte is which.
// exit: 0
#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned number = __VERIFIER_nondet_uint(), sent = htonl(number);
  unsigned short port = (unsigned short)number, sent_port = htons(port);
  unsigned char bytes[4];
  memcpy(bytes, &sent, 4);
  assert(bytes[0] == number >> 24 && bytes[3] == (number & 255));
  memcpy(bytes, &sent_port, 2);
  assert(bytes[0] == port >> 8 && bytes[1] == (port & 255));
  assert(ntohl(sent) == number && ntohs(sent_port) == port && htonl(0x01020304) == 0x04030201);
  assert(MB_CUR_MAX == 1);
  return 0;
}
