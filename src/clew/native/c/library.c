/* The C library of native runs: strings, characters, allocation, ends of programs.

   A function called m_NAME stands for NAME. Its first line says its type, for clew.native.library to read: u32 for
   anything of 32 bits, u64 for pointers and anything of 64, double. A variable number of arguments is an address, of the
   area that they lie in. What is not here ends a run as unsupported. */

#include "native.h"

void *memcpy(void *, const void *, unsigned long);
void *memmove(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
double strtod(const char *, char **);

/* string.h */

u64 m_strlen(u64 text) {
  return clew_string(text);
}

u64 m_strnlen(u64 text, u64 most) {
  return clew_string_within(text, most);
}

u64 m_memmove(u64 to, u64 from, u64 size) {
  clew_check(from, size);
  clew_check(to, size);
  memmove(AT(to), AT(from), size);
  return to;
}

/* Arguments that are restrict: none of the bytes written may be among those read, unless both are the same place. */
void clew_apart(u64 to, u64 written, u64 from, u64 read) {
  if (to != from && written && read && (from < to ? to - from < read : from - to < written))
    clew_end(END_BUG, BUG_OVERLAP, (u64)__builtin_return_address(0));
}

u64 m_memcpy(u64 to, u64 from, u64 size) {
  clew_check(from, size);
  clew_check(to, size);
  clew_apart(to, size, from, size);
  memmove(AT(to), AT(from), size);
  return to;
}

u64 m_memset(u64 to, u32 value, u64 size) {
  clew_check(to, size);
  memset(AT(to), value, size);
  return to;
}

static u32 compared(u64 a, u64 b, u64 most, int is_text, int folded) {
  u8 one = 0, other = 0;
  u64 at = 0;
  for (; at < most; at++) {
    clew_check(a + at, 1);
    clew_check(b + at, 1);
    one = *AT(a + at), other = *AT(b + at);
    if (folded) {
      one += one >= 'A' && one <= 'Z' ? 32 : 0;
      other += other >= 'A' && other <= 'Z' ? 32 : 0;
    }
    if (one != other || (is_text && !one))
      break;
  }
  return at == most ? 0 : (u32)(one - other);
}

/* What the program compares with is worth trying as input: all of the text, as many bytes as the shorter one has, or the
   longer one. And that more of a constant is matched than by any run before is worth keeping an input for. */
static void note(u64 a, u64 b, u64 most, int is_text) {
  if (!shared->noting && !shared->matching)
    return;
  u64 one = is_text ? clew_string_within(a, most) : most, other = is_text ? clew_string_within(b, most) : most;
  u64 size = one < other ? one : other, all = one < other ? other : one;
  if (shared->matching) {
    u64 same = 0;
    while (same < size && *AT(a + same) == *AT(b + same))
      same++;
    clew_note_match(a, other ? same + 1 : 0, one == other);
    clew_note_match(b, one ? same + 1 : 0, one == other);
    return;
  }
  clew_note_compared(AT(a), one, AT(b), other);
  clew_note_compared(AT(a), size, AT(b), size);
  if (all <= 32 && all > size) {
    u8 padded[2][32] = {0};
    memcpy(padded[0], AT(a), one);
    memcpy(padded[1], AT(b), other);
    clew_note_compared(padded[0], all, padded[1], all);
  }
}

u32 m_memcmp(u64 a, u64 b, u64 size) {
  clew_check(a, size);
  clew_check(b, size);
  u32 result = compared(a, b, size, 0, 0);
  if (result)
    note(a, b, size, 0);
  return result;
}

u32 m_strncmp(u64 a, u64 b, u64 most) {
  u32 result = compared(a, b, most, 1, 0);
  if (result)
    note(a, b, most, 1);
  return result;
}

u32 m_strcmp(u64 a, u64 b) {
  return m_strncmp(a, b, ~0ull >> 1);
}

u32 m_strncasecmp(u64 a, u64 b, u64 most) {
  u32 result = compared(a, b, most, 1, 1);
  if (result)
    note(a, b, most, 1);
  return result;
}

u32 m_strcasecmp(u64 a, u64 b) {
  return m_strncasecmp(a, b, ~0ull >> 1);
}

u64 m_strcpy(u64 to, u64 from) {
  return m_memcpy(to, from, clew_string(from) + 1);
}

u64 m_stpcpy(u64 to, u64 from) {
  u64 size = clew_string(from);
  return m_memcpy(to, from, size + 1) + size;
}

u64 m_strncpy(u64 to, u64 from, u64 most) {
  u64 size = clew_string_within(from, most);
  clew_check(to, most);
  clew_apart(to, most, from, size < most ? size + 1 : most);
  memmove(AT(to), AT(from), size);
  memset(AT(to + size), 0, most - size);
  return to;
}

u64 m_strncat(u64 to, u64 from, u64 most) {
  u64 end = to + clew_string(to), size = clew_string_within(from, most);
  clew_check(end, size + 1);
  clew_apart(end, size + 1, from, size < most ? size + 1 : most);
  memmove(AT(end), AT(from), size);
  *AT(end + size) = 0;
  return to;
}

u64 m_strcat(u64 to, u64 from) {
  return m_strncat(to, from, ~0ull);
}

u64 m_memchr(u64 from, u32 wanted, u64 size) {
  for (u64 at = from; at - from < size; at++) {
    clew_check(at, 1);
    if (*AT(at) == (u8)wanted)
      return at;
  }
  return 0;
}

u64 m_strchr(u64 text, u32 wanted) {
  u64 end = text + clew_string(text);
  for (u64 at = text; at <= end; at++)
    if (*AT(at) == (u8)wanted)
      return at;
  return 0;
}

u64 m_strrchr(u64 text, u32 wanted) {
  u64 end = text + clew_string(text);
  for (u64 at = end + 1; at-- > text;)
    if (*AT(at) == (u8)wanted)
      return at;
  return 0;
}

u64 m_strstr(u64 text, u64 wanted) {
  u64 size = clew_string(text), part = clew_string(wanted);
  for (u64 at = 0; at + part <= size; at++) {
    u64 same = 0;
    while (same < part && *AT(text + at + same) == *AT(wanted + same))
      same++;
    if (same == part)
      return text + at;
  }
  return 0;
}

static u64 span(u64 text, u64 of, int inside) {
  u64 size = clew_string(text), count = clew_string(of), at = 0;
  for (; at < size; at++) {
    u64 place = 0;
    while (place < count && *AT(of + place) != *AT(text + at))
      place++;
    if ((place < count) != inside)
      break;
  }
  return at;
}

u64 m_strspn(u64 text, u64 of) {
  return span(text, of, 1);
}

u64 m_strcspn(u64 text, u64 of) {
  return span(text, of, 0);
}

u64 m_strpbrk(u64 text, u64 of) {
  u64 at = text + span(text, of, 0);
  return *AT(at) ? at : 0;
}

/* ctype.h, in the C locale */

static int is_upper(u32 c) { return c >= 'A' && c <= 'Z'; }
static int is_lower(u32 c) { return c >= 'a' && c <= 'z'; }
static int is_digit(u32 c) { return c >= '0' && c <= '9'; }
static int is_space(u32 c) { return c == ' ' || (c >= 9 && c <= 13); }
static int is_graph(u32 c) { return c > 32 && c < 127; }

/* What a test gives is the bit of its class in glibc's tables; what is no character belongs to no class. */

u32 m_isupper(u32 c) {
  return is_upper(c) ? 1 << 8 : 0;
}

u32 m_islower(u32 c) {
  return is_lower(c) ? 1 << 9 : 0;
}

u32 m_isdigit(u32 c) {
  return is_digit(c) ? 1 << 11 : 0;
}

u32 m_isspace(u32 c) {
  return is_space(c) ? 1 << 13 : 0;
}

u32 m_isalpha(u32 c) {
  return (is_upper(c) || is_lower(c)) ? 1 << 10 : 0;
}

u32 m_isalnum(u32 c) {
  return (is_upper(c) || is_lower(c) || is_digit(c)) ? 1 << 3 : 0;
}

u32 m_isxdigit(u32 c) {
  return (is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) ? 1 << 12 : 0;
}

u32 m_isgraph(u32 c) {
  return is_graph(c) ? 1 << 15 : 0;
}

u32 m_isprint(u32 c) {
  return (is_graph(c) || c == ' ') ? 1 << 14 : 0;
}

u32 m_ispunct(u32 c) {
  return (is_graph(c) && !is_upper(c) && !is_lower(c) && !is_digit(c)) ? 1 << 2 : 0;
}

u32 m_iscntrl(u32 c) {
  return (c < 32 || c == 127) ? 1 << 1 : 0;
}

u32 m_isblank(u32 c) {
  return (c == ' ' || c == '\t') ? 1 : 0;
}

u32 m_tolower(u32 c) {
  return is_upper(c) ? c + 32 : c;
}

u32 m_toupper(u32 c) {
  return is_lower(c) ? c - 32 : c;
}

u32 m_isascii(u32 c) {
  return c < 128;
}

u32 m_toascii(u32 c) {
  return c & 127;
}

/* stdlib.h */

u64 m_malloc(u64 size) {
  return clew_allocate(size, 16);
}

u64 m_calloc(u64 count, u64 size) {
  u64 product;
  if (__builtin_mul_overflow(count, size, &product))
    return 0;
  return clew_allocate(product, 16);
}

void m_free(u64 address) {
  if (address)
    clew_free(address);
}

u64 m_realloc(u64 address, u64 size) {
  if (!address)
    return clew_allocate(size, 16);
  u64 before = clew_block_size(address), made = clew_allocate(size, 16);
  memcpy(AT(made), AT(address), before < size ? before : size);
  clew_free(address);
  return made;
}

u64 m_strndup(u64 text, u64 most) {
  u64 size = clew_string_within(text, most), made = clew_allocate(size + 1, 16);
  memcpy(AT(made), AT(text), size);
  return made;
}

u64 m_strdup(u64 text) {
  return m_strndup(text, ~0ull);
}

u32 m_abs(u32 value) {
  return (int)value < 0 ? -value : value;
}

u64 m_labs(u64 value) {
  return (long long)value < 0 ? -value : value;
}

u64 m_llabs(u64 value) {
  return m_labs(value);
}

u64 m___errno_location(void) {
  return clew_errno;
}

static void out_of_range(void) { *(u32 *)clew_errno = 34; }

static u32 digit_of(u8 c) {
  if (is_digit(c))
    return c - '0';
  u32 folded = c | 32;
  return is_lower(folded) ? folded - 'a' + 10 : 99;
}

/* A number as strtol reads it: its size, sign, whether it fits in 64 bits, and where it ends. */
static u64 integer(u64 text, u64 end, u32 base, int *negative, int *fits) {
  u64 size = clew_string(text), at = 0, value = 0;
  const u8 *from = AT(text);
  *negative = 0, *fits = 1;
  if (base == 1 || base > 36)
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  while (at < size && is_space(from[at]))
    at++;
  if (at < size && (from[at] == '-' || from[at] == '+'))
    *negative = from[at++] == '-';
  if ((base == 0 || base == 16) && size - at > 2 && from[at] == '0' && (from[at + 1] | 32) == 'x' &&
      digit_of(from[at + 2]) < 16)
    at += 2, base = 16;
  else if (base == 0)
    base = at < size && from[at] == '0' ? 8 : 10;
  u64 first = at;
  for (; at < size && digit_of(from[at]) < base; at++)
    if (__builtin_mul_overflow(value, base, &value) || __builtin_add_overflow(value, digit_of(from[at]), &value))
      *fits = 0;
  if (end) {
    clew_check(end, 8);
    *(u64 *)end = at == first ? text : text + at;
  }
  return value;
}

u64 m_strtol(u64 text, u64 end, u32 base) {
  int negative, fits;
  u64 value = integer(text, end, base, &negative, &fits), most = (~0ull >> 1) + negative;
  if (!fits || value > most) {
    out_of_range();
    value = most;
  }
  return negative ? -value : value;
}

u64 m_strtoul(u64 text, u64 end, u32 base) {
  int negative, fits;
  u64 value = integer(text, end, base, &negative, &fits);
  if (!fits) {
    out_of_range();
    return ~0ull;
  }
  return negative ? -value : value;
}

u64 m_strtoll(u64 text, u64 end, u32 base) {
  return m_strtol(text, end, base);
}

u64 m_strtoull(u64 text, u64 end, u32 base) {
  return m_strtoul(text, end, base);
}

u64 m___isoc23_strtol(u64 text, u64 end, u32 base) {
  return m_strtol(text, end, base);
}

u64 m___isoc23_strtoul(u64 text, u64 end, u32 base) {
  return m_strtoul(text, end, base);
}

u64 m___isoc23_strtoll(u64 text, u64 end, u32 base) {
  return m_strtol(text, end, base);
}

u64 m___isoc23_strtoull(u64 text, u64 end, u32 base) {
  return m_strtoul(text, end, base);
}

u32 m_atoi(u64 text) {
  return m_strtol(text, 0, 10);
}

u64 m_atol(u64 text) {
  return m_strtol(text, 0, 10);
}

double m_strtod(u64 text, u64 end) {
  char copy[256], *stop;
  u64 size = clew_string(text);
  if (size >= sizeof copy)
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  memcpy(copy, AT(text), size + 1);
  double value = strtod(copy, &stop);
  if (end) {
    clew_check(end, 8);
    *(u64 *)end = text + (stop - copy);
  }
  return value;
}

double m_atof(u64 text) {
  return m_strtod(text, 0);
}

/* Ends; what main has returned, and the destructors, are for the runtime's functions that run when the program ends. */

static u32 result;

void clew_set_result(u32 code) { result = code; }

u32 m___clew_result(void) {
  return result;
}

u64 m___clew_destructor(u32 index) {
  return index < clew_destructor_count ? clew_destructors[index] : 0;
}

void m_exit(u32 code) {
  clew_end(END_EXIT, code & 255, 0);
}

void m__exit(u32 code) {
  clew_end(END_EXIT, code & 255, 0);
}

void m___clew_end(u32 code, u32 returned) {
  clew_end(END_EXIT, code & 255, 0);
}

void m_klee_silent_exit(u32 code) {
  clew_end(END_EXIT, code & 255, 0);
}

void m_abort(void) {
  clew_end(END_BUG, BUG_ABORT, 0);
}

void m_reach_error(void) {
  clew_end(END_BUG, BUG_CALL, 0);
}

void m___VERIFIER_error(void) {
  clew_end(END_BUG, BUG_CALL, 0);
}

void m___assert_fail(u64 expression, u64 file, u32 line, u64 function) {
  clew_end(END_BUG, BUG_ASSERT, 0);
}
