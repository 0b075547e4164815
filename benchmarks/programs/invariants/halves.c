/* Subject 3, the program of the introduction: how often the loop runs is known only from a variable that no assignment
   relates to the input. */
// branches: 4
extern int klee_int(const char *name);

int main(void) {
  int y = klee_int("y");
  int x = 0;
  while (y > 0) {
    x = x + 1;
    y = y - 2;
  }
  if (x > 1117) return 1;
  return 0;
}
