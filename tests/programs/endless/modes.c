// A device with a mode that a button moves on, and a level that depends on it; the last command is only remembered.
// twin: mode == 3 ? 0 => mode == 4 ? 0
// twin: level > limit[mode] => level > 5
#include "../verify/verifier.h"

static const unsigned limit[4] = {0, 3, 5, 2};
static int last_command, commands;

int main(void) {
  unsigned mode = 0, level = 0;
  while (1) {
    int command = __VERIFIER_nondet_int();
    last_command = command;
    commands = commands + 1 & 0xffff;
    if (command == 1) mode = mode == 3 ? 0 : mode + 1;
    else if (command == 2 && level < 5) level++;
    else if (command == 3 && level > 0) level--;
    if (mode < 4 && level > limit[mode]) level = limit[mode];
    assert(mode < 4);
    assert(level <= limit[mode & 3]);
  }
}
