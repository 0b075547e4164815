/* Subject 4, after Figure 1 of the paper on loop summaries: an error inside of the loop that needs 51 passes, and one
   behind it that needs 30 exactly. What is summed up grows by a different amount in every pass. */
// branches: 6
extern int klee_int(const char *name);
extern void abort(void);

int main(void) {
  int x = klee_int("x");
  int passes = 0, weight = 0;
  while (1) {
    if (x <= 0) break;
    if (passes == 50) abort();
    passes = passes + 1;
    weight = weight + passes;
    x = x - 1;
  }
  if (passes == 30) abort();
  return weight > 0;
}
