/* The C library of native runs: scanf and its relatives, from strings and from standard input.

   What C libraries read in ways of their own (0x without a digit, infinity, hexadecimal fractions, numbers that are cut
   off in their exponent) ends a run as unsupported. */

#include "native.h"

void *memcpy(void *, const void *, unsigned long);
double strtod(const char *, char **);

#define NOTHING ((u32)-1)
#define LONGEST_NUMBER 256

/* Where characters come from: a string, or a stream. */
struct source {
  u64 text, stream, count;
};

static u32 next(struct source *from) {
  if (!from->stream)
    clew_check(from->text, 1); /* what was stored may have taken the end of the string */
  u32 character = from->stream ? clew_next_character(from->stream) : *AT(from->text) ? *AT(from->text++) : NOTHING;
  from->count += character != NOTHING;
  return character;
}

static void back(struct source *from, u32 character) {
  if (character == NOTHING)
    return;
  from->count--;
  if (from->stream)
    m_ungetc(character, from->stream);
  else
    from->text--;
}

static u32 peek(struct source *from) {
  u32 character = next(from);
  back(from, character);
  return character;
}

static int is_space(u32 c) { return c == ' ' || (c >= 9 && c <= 13); }

static void skip(struct source *from) {
  while (is_space(peek(from)))
    next(from);
}

struct directive {
  u64 width;
  int silent, size;
  u8 letter;
  u64 set, set_size; /* of %[ */
  int excluded;
};

static u32 digit_of(u32 c) {
  u32 folded = c | 32;
  return c >= '0' && c <= '9' ? c - '0' : folded >= 'a' && folded <= 'z' ? folded - 'a' + 10 : 99;
}

static void store(u64 to, u64 value, int size) {
  clew_check(to, size);
  memcpy(AT(to), &value, size);
}

/* 1 if a number was read, 0 if there is none. */
static int integer(struct source *from, const struct directive *how, u64 *value) {
  u64 left = how->width ? how->width : ~0ull, digits = 0, most;
  u32 base = how->letter == 'x' || how->letter == 'X' || how->letter == 'p' ? 16 : how->letter == 'o' ? 8 : 10;
  int negative = 0, fits = 1, open = how->letter == 'i', is_signed = how->letter == 'd' || open;
  *value = 0;
  if (left && (peek(from) == '-' || peek(from) == '+'))
    negative = next(from) == '-', left--;
  if ((open || base == 16) && left && peek(from) == '0') {
    next(from), left--, digits++;
    if (left && (peek(from) | 32) == 'x') {
      next(from), left--, base = 16;
      if (!left || digit_of(peek(from)) >= 16)
        clew_end(END_UNSUPPORTED, 0, ~0ull);
    } else if (open)
      base = 8;
  }
  for (u32 c; left && digit_of(c = peek(from)) < base; left--, digits++) {
    next(from);
    if (__builtin_mul_overflow(*value, base, value) || __builtin_add_overflow(*value, digit_of(c), value))
      fits = 0;
  }
  most = (~0ull >> 1) + negative;
  if (is_signed && (!fits || *value > most))
    *value = most;
  else if (!fits)
    *value = ~0ull, negative = 0;
  *value = negative ? -*value : *value;
  return digits > 0;
}

static int real(struct source *from, const struct directive *how, double *value) {
  char copy[LONGEST_NUMBER], *stop;
  u64 size = 0, left = how->width ? how->width : ~0ull, point = 0, exponent = 0, digits = 0;
  for (u32 c; left && (c = peek(from)) != NOTHING; left--) {
    int is_sign = (c == '-' || c == '+') && (!size || (exponent && (copy[size - 1] | 32) == 'e'));
    int is_exponent = (c | 32) == 'e' && digits && !exponent, is_point = c == '.' && !point && !exponent;
    int is_digit = c >= '0' && c <= '9';
    if (!is_digit && !is_sign && !is_exponent && !is_point) {
      if (!digits && size < 2 && ((c | 32) == 'i' || (c | 32) == 'n'))
        clew_end(END_UNSUPPORTED, 0, ~0ull);
      if ((c | 32) == 'x' && size && copy[size - 1] == '0')
        clew_end(END_UNSUPPORTED, 0, ~0ull);
      break;
    }
    point += is_point, exponent += is_exponent, digits += is_digit;
    if (size + 1 >= sizeof copy)
      clew_end(END_UNSUPPORTED, 0, ~0ull);
    copy[size++] = next(from);
  }
  copy[size] = 0;
  *value = strtod(copy, &stop);
  if (digits && stop != copy + size)
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  return digits > 0;
}

static int belongs(const struct directive *how, u32 c) {
  for (u64 at = 0; at < how->set_size; at++) {
    u8 first = *AT(how->set + at);
    if (at + 2 < how->set_size && *AT(how->set + at + 1) == '-') {
      if (c >= first && c <= *AT(how->set + at + 2))
        return !how->excluded;
      at += 2;
    } else if (c == first)
      return !how->excluded;
  }
  return how->excluded;
}

/* Characters to memory; how many. */
static u64 characters(struct source *from, const struct directive *how, u64 to) {
  u64 size = 0, most = how->width ? how->width : how->letter == 'c' ? 1 : ~0ull;
  for (u32 c; size < most && (c = peek(from)) != NOTHING; size++) {
    if ((how->letter == 's' && is_space(c)) || (how->letter == '[' && !belongs(how, c)))
      break;
    next(from);
    if (!how->silent) {
      clew_check(to + size, 1);
      *AT(to + size) = c;
    }
  }
  if (how->letter == 'c' && size < most)
    return 0;
  if (how->letter != 'c' && !how->silent && size) {
    clew_check(to + size, 1);
    *AT(to + size) = 0;
  }
  return size;
}

/* Read a directive that begins behind %; where it ends. */
static u64 directive(u64 at, struct directive *how) {
  *how = (struct directive){.size = 4};
  if (*AT(at) == '*')
    how->silent = 1, at++;
  for (; *AT(at) >= '0' && *AT(at) <= '9' && how->width < 1000000; at++)
    how->width = how->width * 10 + *AT(at) - '0';
  for (;; at++) {
    u8 letter = *AT(at);
    if (letter == 'h')
      how->size /= 2;
    else if (letter == 'l' || letter == 'z' || letter == 'j' || letter == 't')
      how->size = 8;
    else
      break;
  }
  how->letter = *AT(at++);
  if (how->letter != '[')
    return at;
  if (*AT(at) == '^')
    how->excluded = 1, at++;
  how->set = at;
  if (*AT(at) == ']')
    at++;
  while (*AT(at) && *AT(at) != ']')
    at++;
  how->set_size = at - how->set;
  return *AT(at) ? at + 1 : at;
}

/* Convert by a directive: 1 for a value that counts, 0 for one that does not, -1 if there is none, -2 for no input. */
static int convert(struct source *from, const struct directive *how, u64 *area) {
  union { u64 bits; double number; float single[2]; } value = {0};
  if (how->letter == 'n') {
    store(clew_argument(area), from->count, how->size);
    return 0;
  }
  if (how->letter != 'c' && how->letter != '[')
    skip(from);
  if (peek(from) == NOTHING)
    return -2;
  switch (how->letter) {
  case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'p':
    if (!integer(from, how, &value.bits))
      return -1;
    if (!how->silent)
      store(clew_argument(area), value.bits, how->letter == 'p' ? 8 : how->size);
    return !how->silent;
  case 'f': case 'e': case 'g': case 'E': case 'G':
    if (!real(from, how, &value.number))
      return -1;
    if (how->size == 4)
      value.single[0] = value.number;
    if (!how->silent)
      store(clew_argument(area), value.bits, how->size);
    return !how->silent;
  case 's': case '[': case 'c':
    if (how->size == 8)
      break;
    return characters(from, how, how->silent ? 0 : clew_argument(area)) ? !how->silent : how->letter == 'c' ? -2 : -1;
  }
  clew_end(END_UNSUPPORTED, 0, ~0ull);
}

static u32 scanned(struct source from, u64 format, u64 area) {
  u64 end = format + clew_string(format);
  if (from.stream)
    clew_begin_scan(from.stream);
  u32 count = 0;
  for (u64 at = format; at < end;) {
    struct directive how;
    u8 letter = *AT(at++);
    if (is_space(letter)) {
      skip(&from);
      continue;
    }
    if (letter != '%' || *AT(at) == '%') {
      if (letter == '%')
        skip(&from), at++;
      u32 c = peek(&from);
      if (c != letter)
        return c == NOTHING && !count ? NOTHING : count;
      next(&from);
      continue;
    }
    at = directive(at, &how);
    int done = convert(&from, &how, &area);
    if (done < 0)
      return done == -2 && !count ? NOTHING : count;
    count += done;
  }
  return count;
}

static u32 scanned_text(u64 text, u64 format, u64 area) {
  clew_string(text);
  return scanned((struct source){text, 0, 0}, format, area);
}

u32 m_sscanf(u64 text, u64 format, u64 area) {
  return scanned_text(text, format, area);
}

u32 m_vsscanf(u64 text, u64 format, u64 list) {
  return scanned_text(text, format, clew_area_of(list));
}

u32 m_scanf(u64 format, u64 area) {
  return scanned((struct source){0, clew_streams, 0}, format, area);
}

u32 m_vscanf(u64 format, u64 list) {
  return scanned((struct source){0, clew_streams, 0}, format, clew_area_of(list));
}

u32 m_fscanf(u64 stream, u64 format, u64 area) {
  return scanned((struct source){0, stream, 0}, format, area);
}

u32 m_vfscanf(u64 stream, u64 format, u64 list) {
  return scanned((struct source){0, stream, 0}, format, clew_area_of(list));
}
