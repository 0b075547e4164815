/* The program's input: the bytes of a request in the order in which the program asks for them, zeros after their end.

   Names that begin with m_ are the library's: see library.c. */

#include "native.h"

static u64 input_byte(void) {
  u64 at = shared->input_used++;
  return at < shared->input_size ? *AT(INPUT + at) : 0;
}

/* An input of so many bytes, as a number. */
u64 clew_input(u32 size) {
  u64 value = 0;
  if (shared->reads_stdin)
    clew_end(END_UNSUPPORTED, 0, 0); /* seeds say by name what is standard input, and what is not */
  for (u32 at = 0; at < size; at++)
    value |= input_byte() << 8 * at;
  return value;
}

/* An input that fills an object. */
void clew_input_to(u64 address, u64 size) {
  clew_check(address, size);
  if (shared->reads_stdin)
    clew_end(END_UNSUPPORTED, 0, 0);
  for (u64 at = 0; at < size; at++)
    *AT(address + at) = input_byte();
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

/* Standard input: all the bytes, where the request says so, else it is empty. */

static u32 next_character(u64 stream) {
  if (stream != clew_streams)
    clew_end(END_UNSUPPORTED, 0, 0);
  if (!shared->reads_stdin)
    return -1;
  u64 size = shared->input_size < shared->stdin_most ? shared->input_size : shared->stdin_most;
  if (shared->input_used >= size)
    return -1;
  return *AT(INPUT + shared->input_used++);
}

u32 m_getchar(void) {
  return next_character(clew_streams);
}

u32 m_fgetc(u64 stream) {
  return next_character(stream);
}

u32 m_getc(u64 stream) {
  return next_character(stream);
}

u64 m_fgets(u64 to, u32 size, u64 stream) {
  u64 at = to;
  if ((int)size <= 0)
    return 0;
  while (at - to + 1 < size) {
    u32 character = next_character(stream);
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

u64 m_fread(u64 to, u64 size, u64 count, u64 stream) {
  u64 all, at = 0;
  if (__builtin_mul_overflow(size, count, &all))
    clew_end(END_UNSUPPORTED, 0, 0);
  for (u32 character; at < all && (character = next_character(stream)) != (u32)-1; at++) {
    clew_check(to + at, 1);
    *AT(to + at) = character;
  }
  return size ? at / size : 0;
}
