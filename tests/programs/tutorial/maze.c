// Find the way out of the maze in nine moves: there is one. scripts/count_paths.py counts the paths natively.
// symbolic: moves 9 wasd!
// paths: 421
// exit: 1
#include <assert.h>
#include <klee/klee.h>

#define STEPS 9

static const char maze[5][8] = {
    "+-----+",
    "|@| |#|",
    "| | | |",
    "|     |",
    "+-----+",
};

int main(void) {
  char moves[STEPS];
  int x = 1, y = 1;
  klee_make_symbolic(moves, sizeof moves, "moves");
  for (int i = 0; i < STEPS; i++) {
    int old_x = x, old_y = y;
    switch (moves[i]) {
    case 'w':
      y--;
      break;
    case 's':
      y++;
      break;
    case 'a':
      x--;
      break;
    case 'd':
      x++;
      break;
    default:
      return 1;
    }
    if (maze[y][x] == '#')
      // expect: assert @+1
      assert(!"out of the maze");
    if (maze[y][x] != ' ')
      return 2;
    if (x == old_x && y == old_y)
      return 3;
  }
  return 0;
}
