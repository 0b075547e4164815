// The function of figure 1 of the paper, in other words: an index is read or fixed, used with half a check or a full
// one, and chance decides both. With TWICE it is called twice in a row: the second call can show nothing new.
#include <stdio.h>
#include <stdlib.h>

static int either_way(void) { return rand() % 2; }

static void show(const int *cells) {
  for (int i = 0; i < 10; i++)
    printf("%d\n", cells[i]);
}

static void example(void) {
  int data = -1;
  if (either_way()) {
    char line[14] = "";
    if (fgets(line, sizeof line, stdin) != NULL)
      data = atoi(line);
    else
      puts("nothing to read");
  } else {
    data = 7;
  }
  if (either_way()) {
    int cells[10] = {0};
    if (data >= 0) {
      // expect: out-of-bounds @+1
      cells[data] = 1;
      show(cells);
    } else {
      puts("the index is negative");
    }
  } else {
    int cells[10] = {0};
    if (data >= 0 && data < 10) {
      cells[data] = 1;
      show(cells);
    } else {
      puts("no such index");
    }
  }
}

int main(void) {
  example();
#ifdef TWICE
  example();
#endif
  return 0;
}
