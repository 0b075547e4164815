/* A transfer in blocks: after the 100,000th block there would have to be a new key, and there is none. */
// start: 3000
// bugs: 1
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

#define BLOCK 512u
#define BLOCKS_PER_KEY 100000u

int main(void) {
  unsigned length = __VERIFIER_nondet_uint();
  unsigned blocks = 0, sent = 0;
  while (length - sent >= BLOCK) {
    sent += BLOCK;
    blocks++;
  }
  if (blocks == BLOCKS_PER_KEY) reach_error();
  return 0;
}
