// A signal that the program sends itself: its handler is not run, so nothing is proved.
// reach: UNKNOWN label handled
#include <signal.h>
#include <unistd.h>

static int seen;

static void handler(int number) { seen = number; }

static void send(int times) {
  if (times > 0) send(times - 1);
  else kill(getpid(), SIGUSR1);
}

int main(void) {
  signal(SIGUSR1, handler);
  send(2);
  if (seen) { handled: return 1; }
  return 0;
}
