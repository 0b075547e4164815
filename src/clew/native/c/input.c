/* The program's input: the bytes of a request in the order in which the program asks for them, zeros after their end.

   Names that begin with m_ are the library's: see library.c. */

#include "files.h"

#define LINE_ROOM 120 /* as in clew.models.stdio_input */

static u64 input_byte(void) {
  u64 at = shared->input_used++;
  return at < shared->input_size ? *AT(INPUT + at) : 0;
}

/* An input of so many bytes, as a number. Where the bytes of a request are standard input, all others are zero. */
u64 clew_input(u32 size) {
  u64 value = 0;
  if (shared->reads_stdin)
    return 0;
  for (u32 at = 0; at < size; at++)
    value |= input_byte() << 8 * at;
  return value;
}

/* An input that fills an object. */
void clew_input_to(u64 address, u64 size) {
  clew_check(address, size);
  for (u64 at = 0; at < size; at++)
    *AT(address + at) = shared->reads_stdin ? 0 : input_byte();
}

void m_klee_make_symbolic(u64 address, u64 size, u64 name) {
  clew_input_to(address, size);
}

u32 m_klee_int(u64 name) {
  return clew_input(4);
}

u32 m_klee_range(u32 begin, u32 end, u64 name) {
  u32 value = clew_input(4);
  if ((int)value < (int)begin || (int)value >= (int)end)
    clew_end(END_ASSUMPTION, 0, 0);
  return value;
}

void m_klee_assume(u64 condition) {
  if (!condition)
    clew_end(END_ASSUMPTION, 0, 0);
}

void m___VERIFIER_assume(u32 condition) {
  if (!condition)
    clew_end(END_ASSUMPTION, 0, 0);
}

void m_clew_assume(u32 condition) {
  if (!condition)
    clew_end(END_ASSUMPTION, 0, 0);
}

/* Up to so many bytes of a file, which is then read up to where they would end; ``exact``: up to where they do. */
static u64 block(struct descriptor *opened, u64 to, u64 count, int exact) {
  u64 at = 0;
  for (u32 character; at < count && (character = clew_file_byte(opened, at)) != NO_CHARACTER; at++) {
    clew_check(to + at, 1);
    *AT(to + at) = character;
  }
  opened->position += exact ? at : count < FAR ? count : FAR;
  opened->overrun |= at || !exact;
  return at;
}

u32 m_ungetc(u32 character, u64 stream) {
  struct stream *from = clew_stream(stream);
  if (character == NO_CHARACTER)
    return -1;
  if (from->pushed_count == MOST_PUSHED)
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  from->pushed[from->pushed_count++] = character;
  from->ended = 0;
  return character & 255;
}

u32 m_feof(u64 stream) {
  return clew_stream(stream)->ended;
}

/* Streams that cannot be read are left to the interpreter. */
u32 m_ferror(u64 stream) {
  clew_stream(stream);
  return 0;
}

void m_clearerr(u64 stream) {
  clew_stream(stream)->ended = 0;
}

u32 m_getchar(void) {
  return clew_next_character(clew_streams);
}

u32 m_fgetc(u64 stream) {
  return clew_next_character(stream);
}

u32 m_getc(u64 stream) {
  return clew_next_character(stream);
}

u64 m_fgets(u64 to, u32 size, u64 stream) {
  u64 at = to;
  struct stream *from = clew_stream(stream);
  if ((int)size <= 0)
    return 0;
  if (size > 1)
    clew_reach_stream(from, size - 1, 0);
  while (at - to + 1 < size) {
    u32 character = clew_next_byte(from);
    if (character == NO_CHARACTER)
      break;
    clew_check(at, 1);
    *AT(at++) = character;
    if (character == '\n')
      break;
  }
  if (at == to && size > 1)
    return 0;
  clew_check(at, 1);
  *AT(at) = 0;
  return to;
}

u64 m_gets(u64 to) {
  u64 at = to;
  u32 character;
  struct stream *from = clew_stream(clew_streams);
  clew_reach_stream(from, FAR, 0);
  while ((character = clew_next_byte(from)) != NO_CHARACTER && character != '\n') {
    clew_check(at, 1);
    *AT(at++) = character;
  }
  if (at == to && character == NO_CHARACTER)
    return 0;
  clew_check(at, 1);
  *AT(at) = 0;
  return to;
}

/* A line in a block that is made, or made larger: where need be for what might have come. */
u64 m_getdelim(u64 line, u64 room, u32 delimiter, u64 stream) {
  struct stream *from = clew_stream(stream);
  clew_check(line, 8);
  clew_check(room, 8);
  u64 old = *(u64 *)line, size = old ? *(u64 *)room : 0, count = 0;
  clew_reach_stream(from, FAR, 0);
  u64 wanted = clew_bytes_ahead(from) + 1;
  u32 character = clew_next_byte(from);
  if (character == NO_CHARACTER)
    return ~0ull;
  u64 to = old;
  if (size < wanted) {
    size = wanted > LINE_ROOM ? wanted : LINE_ROOM;
    to = clew_allocate(size, 16);
    if (old)
      clew_free(old);
    *(u64 *)line = to;
    *(u64 *)room = size;
  }
  do {
    clew_check(to + count, 1);
    *AT(to + count++) = character;
  } while (character != (delimiter & 255) && (character = clew_next_byte(from)) != NO_CHARACTER);
  clew_check(to + count, 1);
  *AT(to + count) = 0;
  return count;
}

u64 m_getline(u64 line, u64 room, u64 stream) {
  return m_getdelim(line, room, '\n', stream);
}

u64 m_fread(u64 to, u64 size, u64 count, u64 stream) {
  u64 all, at = 0;
  struct stream *from = clew_stream(stream);
  if (__builtin_mul_overflow(size, count, &all))
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  if (!all)
    return 0;
  u32 pushed = from->pushed_count;
  clew_reach_stream(from, all, 1);
  for (; at < all && from->pushed_count; at++) {
    clew_check(to + at, 1);
    *AT(to + at) = clew_next_byte(from);
  }
  u64 got = at + block(clew_readable(from->descriptor), to + at, all - at, pushed);
  from->ended |= got < all;
  return got / size;
}

/* By descriptor, past what a stream has pushed back. */
u64 m_read(u32 number, u64 to, u64 count) {
  struct descriptor *opened = clew_readable(number);
  clew_reach(opened, count, 1);
  return count ? block(opened, to, count, 0) : 0;
}
