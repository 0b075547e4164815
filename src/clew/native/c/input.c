/* The program's input: the bytes of a request in the order in which the program asks for them, zeros after their end.

   Names that begin with m_ are the library's: see library.c. */

#include "native.h"

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

/* Standard input: all the bytes, where the request says so, else it is empty. What is pushed back comes first. */

#define MOST_PUSHED 16
static u8 pushed[MOST_PUSHED];
static u32 pushed_count, at_end;

void clew_reset_input(void) { pushed_count = at_end = 0; }

static u32 next_byte(void) {
  u64 size = shared->input_size < shared->stdin_most ? shared->input_size : shared->stdin_most;
  if (!shared->reads_stdin || shared->input_used >= size)
    return -1;
  return *AT(INPUT + shared->input_used++);
}

static void check_stream(u64 stream) {
  if (stream != clew_streams)
    clew_end(END_UNSUPPORTED, 0, ~0ull);
}

u32 clew_next_character(u64 stream) {
  check_stream(stream);
  u32 character = pushed_count ? pushed[--pushed_count] : next_byte();
  at_end |= character == (u32)-1;
  return character;
}

u32 m_ungetc(u32 character, u64 stream) {
  check_stream(stream);
  if (character == (u32)-1)
    return -1;
  if (pushed_count == MOST_PUSHED)
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  pushed[pushed_count++] = character;
  at_end = 0;
  return character & 255;
}

u32 m_feof(u64 stream) {
  if (stream == clew_streams + 64 || stream == clew_streams + 128)
    return 0;
  check_stream(stream);
  return at_end;
}

u32 m_ferror(u64 stream) {
  if (stream != clew_streams + 64 && stream != clew_streams + 128)
    check_stream(stream);
  return 0;
}

void m_clearerr(u64 stream) {
  check_stream(stream);
  at_end = 0;
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
  if ((int)size <= 0)
    return 0;
  while (at - to + 1 < size) {
    u32 character = clew_next_character(stream);
    if (character == (u32)-1)
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
  while ((character = clew_next_character(clew_streams)) != (u32)-1 && character != '\n') {
    clew_check(at, 1);
    *AT(at++) = character;
  }
  if (at == to && character == (u32)-1)
    return 0;
  clew_check(at, 1);
  *AT(at) = 0;
  return to;
}

u64 m_fread(u64 to, u64 size, u64 count, u64 stream) {
  u64 all, at = 0;
  if (__builtin_mul_overflow(size, count, &all))
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  for (u32 character; at < all && (character = clew_next_character(stream)) != (u32)-1; at++) {
    clew_check(to + at, 1);
    *AT(to + at) = character;
  }
  return size ? at / size : 0;
}

/* By descriptor, past what a stream has pushed back. */
u64 m_read(u32 descriptor, u64 to, u64 count) {
  u64 at = 0;
  if (descriptor)
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  for (u32 character; at < count && (character = next_byte()) != (u32)-1; at++) {
    clew_check(to + at, 1);
    *AT(to + at) = character;
  }
  return at;
}
