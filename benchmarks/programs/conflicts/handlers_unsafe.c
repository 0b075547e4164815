/* As handlers_safe, but one more may be taken than the assertion allows. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int open_files;

static int take(int limit) {
  if (open_files < limit)
    open_files++;
  return 0;
}

static int give(int limit) {
  (void)limit;
  if (open_files > 0)
    open_files--;
  return 0;
}

static int peek(int limit) {
  return open_files < limit;
}

static int (*const handlers[])(int) = {take, give, peek};

int main(void) {
  int free_ones = 0;
  for (int request = 0; request < 5; request++) {
    unsigned kind = __VERIFIER_nondet_uint();
    int (*handler)(int) = kind < 3 ? handlers[kind] : peek;
    free_ones += handler(4);
  }
  assert(open_files >= 0 && open_files <= 3);
  return free_ones;
}
