// A function that nobody defines, called where chains do not look: in a recursive one.
// reach: UNKNOWN label written (not defined)
extern void outside(int *);

static int cell;

static void down(int n) {
  if (n > 0) down(n - 1);
  else outside(&cell);
}

int main(void) {
  down(2);
  if (cell == 1) { written: return 1; }
  return 0;
}
