/* Hot loops without input in them: a sieve, a search for words, a table of distances. One byte of input decides at
   the end. Nothing can be summarized; what watching the loops costs shows here. */
// start: 1
// bugs: 0
// overhead
extern unsigned char __VERIFIER_nondet_uchar(void);

#define NUMBERS 40000
#define NODES 40

static unsigned char composite[NUMBERS];
static int distance[NODES][NODES];
static const char text[] = "the quick brown fox jumps over the lazy dog while the other dog sleeps under the old tree";

static int primes(void) {
  int found = 0;
  for (int i = 2; i < NUMBERS; i++) {
    if (composite[i]) continue;
    found++;
    for (int j = i + i; j < NUMBERS; j += i) composite[j] = 1;
  }
  return found;
}

static int occurrences(const char *word) {
  int found = 0;
  for (const char *at = text; *at; at++) {
    int k = 0;
    while (word[k] && at[k] == word[k]) k++;
    if (!word[k]) found++;
  }
  return found;
}

static int longest(void) {
  for (int i = 0; i < NODES; i++)
    for (int j = 0; j < NODES; j++) distance[i][j] = i == j ? 0 : 1 + (i * 7 + j * 13) % 29;
  for (int k = 0; k < NODES; k++)
    for (int i = 0; i < NODES; i++)
      for (int j = 0; j < NODES; j++)
        if (distance[i][k] + distance[k][j] < distance[i][j]) distance[i][j] = distance[i][k] + distance[k][j];
  int most = 0;
  for (int i = 0; i < NODES; i++)
    for (int j = 0; j < NODES; j++)
      if (distance[i][j] > most) most = distance[i][j];
  return most;
}

int main(void) {
  int sum = 0;
  for (int round = 0; round < 10; round++) sum += primes() + longest();
  for (int round = 0; round < 300; round++) sum += occurrences("the") + occurrences("dog");
  return __VERIFIER_nondet_uchar() > 100 ? sum & 1 : 2;
}
