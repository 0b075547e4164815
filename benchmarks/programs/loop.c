/* A purely concrete loop: integer arithmetic, array reads and writes, compares, a data-dependent branch. */
#ifndef ROUNDS
#define ROUNDS 300000
#endif

static unsigned table[256];

int main(void) {
  unsigned hash = 2166136261u;
  for (unsigned i = 0; i < ROUNDS; i++) {
    unsigned slot = i & 255u;
    unsigned value = table[slot];
    if (value & 1u)
      hash = (hash ^ value) * 16777619u;
    else
      hash += (value >> 1) + i;
    table[(hash >> 8) & 255u] = value + hash;
  }
  return hash == 0;
}
