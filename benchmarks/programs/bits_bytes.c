/* A symbolic buffer of 16 bytes, each compared with a letter: 65,536 feasible paths. */
extern void klee_make_symbolic(void *address, unsigned long size, const char *name);

int main(void) {
  char text[16];
  int capitals = 0;
  klee_make_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 16; i++)
    if (text[i] == 'A' + i)
      capitals++;
  return capitals == 17;
}
