/* setjmp and longjmp: where control may come back to is kept here, where the program cannot write. Its buffer holds a
   number that stands for the place; a copy of it is as good as the buffer. A place is gone when its function returns, or
   a jump leaves it. */

#include <setjmp.h>

#include "native.h"

#define MOST_PLACES 256
#define FIRST_NUMBER 0x6a756d7000000000ull

static struct place {
  u64 number, buffer, frame, stack;
  jmp_buf where;
} places[MOST_PLACES];
static u64 count, next_number;

void clew_forget_all_jumps(void) { count = next_number = 0; }

/* Room for what setjmp keeps; the frame is that of the function that calls it, and frames of its callees lie below. */
void *clew_jump_place(u64 buffer, u64 frame) {
  clew_check(buffer, 8);
  struct place *found = places;
  while (found < places + count && (found->buffer != buffer || found->frame != frame))
    found++;
  if (found == places + MOST_PLACES)
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  if (found == places + count)
    count++;
  found->number = FIRST_NUMBER + next_number++;
  found->buffer = buffer;
  found->frame = frame;
  found->stack = shared->stack;
  *(u64 *)buffer = found->number;
  return found->where;
}

/* Places of this frame and those below it are gone, or only of those below it. */
static void forget(u64 frame, int with_it) {
  u64 kept = 0;
  for (u64 at = 0; at < count; at++)
    if (places[at].frame > frame || (!with_it && places[at].frame == frame)) {
      if (kept != at)
        places[kept] = places[at];
      kept++;
    }
  count = kept;
}

void clew_forget_jumps(u64 frame) { forget(frame, 1); }

/* A jump is a way back: it costs fuel as others do. */
void m_longjmp(u64 buffer, u32 value) {
  clew_check(buffer, 8);
  u64 number = *(u64 *)buffer;
  if ((long long)--shared->fuel < 0)
    clew_end(END_FUEL, 0, 0);
  for (u64 at = 0; at < count; at++)
    if (places[at].number == number) {
      struct place *to = &places[at];
      forget(to->frame, 0);
      while (to->number != number)
        to--;
      clew_restore(to->stack);
      longjmp(to->where, value ? (int)value : 1);
    }
  clew_end(END_BUG, BUG_ABORT, number);
}

void m__longjmp(u64 buffer, u32 value) {
  m_longjmp(buffer, value);
}

void m_siglongjmp(u64 buffer, u32 value) {
  m_longjmp(buffer, value);
}

void m___longjmp_chk(u64 buffer, u32 value) {
  m_longjmp(buffer, value);
}
