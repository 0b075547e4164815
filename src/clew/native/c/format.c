/* The C library of native runs: printf and its relatives, and what they write to.

   Formats are taken apart here, and what they ask for is read from checked memory. Only the digits of floating-point
   numbers are the host's C library's. */

#include "files.h"

void *memcpy(void *, const void *, unsigned long);
int snprintf(char *, unsigned long, const char *, ...);

#define EBADF 9
#define NOWHERE 0
#define PRINTED 1

/* Where characters go: to an address, to standard output, to a file of the program's, or nowhere. */
struct sink {
  u64 to, room, count;
  struct descriptor *file;
  u64 ahead; /* the first of the strings that were read, and lie behind what is written */
};

/* What is written into memory must not be read, too: bytes of a string that are, or will be. */
static void read_string(struct sink *sink, u64 from, u64 size) {
  u64 written = sink->count < sink->room ? sink->count : sink->room;
  if (sink->file || sink->to == PRINTED || sink->to == NOWHERE || !size)
    return;
  if (from < sink->to)
    clew_apart(sink->to, 1, from, size);
  else if (from - sink->to <= written) /* a zero follows */
    clew_end(END_BUG, BUG_OVERLAP, (u64)__builtin_return_address(0));
  else if (!sink->ahead || from < sink->ahead)
    sink->ahead = from;
}

static void put(struct sink *sink, u8 c) {
  if (sink->file)
    clew_write_byte(sink->file, c);
  else if (sink->to == PRINTED) {
    if (shared->output_size < OUTPUT_SIZE)
      *AT(OUTPUT + shared->output_size++) = c;
  } else if (sink->to != NOWHERE && sink->count < sink->room) {
    clew_check(sink->to + sink->count, 1);
    *AT(sink->to + sink->count) = c;
  }
  sink->count++;
}

struct conversion {
  int left, plus, space, alternate, zero, precision, bits;
  u64 width;
};

static void padded(struct sink *sink, const struct conversion *how, const char *prefix, const u8 *text, u64 size,
                   u64 zeros) {
  u64 head = 0;
  while (prefix[head])
    head++;
  u64 all = head + zeros + size, missing = how->width > all ? how->width - all : 0;
  if (missing > OUTPUT_SIZE)
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  for (u64 at = 0; !how->left && at < missing; at++)
    put(sink, ' ');
  for (u64 at = 0; at < head; at++)
    put(sink, prefix[at]);
  for (u64 at = 0; at < zeros; at++)
    put(sink, '0');
  for (u64 at = 0; at < size; at++)
    put(sink, text[at]);
  for (u64 at = 0; how->left && at < missing; at++)
    put(sink, ' ');
}

static void put_integer(struct sink *sink, const struct conversion *how, u8 letter, u64 value) {
  int is_signed = letter == 'd' || letter == 'i', negative = 0;
  u32 base = letter == 'o' ? 8 : letter == 'x' || letter == 'X' || letter == 'p' ? 16 : 10;
  if (how->bits < 64) {
    value &= (1ull << how->bits) - 1;
    if (is_signed && value >> (how->bits - 1))
      value |= ~0ull << how->bits;
  }
  if (is_signed && (long long)value < 0)
    negative = 1, value = -value;
  u8 digits[24];
  u64 at = sizeof digits;
  const char *names = letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  int is_zero = !value;
  for (; value; value /= base)
    digits[--at] = names[value % base];
  if (is_zero && how->precision)
    digits[--at] = '0';
  const char *prefix = negative ? "-" : is_signed && how->plus ? "+" : is_signed && how->space ? " " : "";
  if (letter == 'p' || (how->alternate && base == 16 && !is_zero))
    prefix = letter == 'X' ? "0X" : "0x";
  u64 size = sizeof digits - at, zeros = how->precision > (int)size ? how->precision - size : 0;
  if (how->alternate && base == 8 && !zeros && (!size || digits[at] != '0'))
    zeros = 1;
  u64 head = prefix[0] ? prefix[1] ? 2 : 1 : 0;
  if (how->zero && !how->left && how->precision < 0 && how->width > head + size)
    zeros = how->width - head - size;
  padded(sink, how, prefix, digits + at, size, zeros);
}

static void put_float(struct sink *sink, const struct conversion *how, u8 letter, double value) {
  char text[512], spec[16];
  int at = 0;
  if (how->precision > 100 || how->width > 100)
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  spec[at++] = '%';
  if (how->left) spec[at++] = '-';
  if (how->plus) spec[at++] = '+';
  if (how->space) spec[at++] = ' ';
  if (how->alternate) spec[at++] = '#';
  if (how->zero) spec[at++] = '0';
  spec[at++] = '*';
  spec[at++] = '.';
  spec[at++] = '*';
  spec[at++] = letter;
  spec[at] = 0;
  int size = snprintf(text, sizeof text, spec, (int)how->width, how->precision, value);
  for (int place = 0; place < size && place < (int)sizeof text; place++)
    put(sink, text[place]);
}

/* The next of the variable arguments, each in 8 bytes of their own. */
u64 clew_argument(u64 *area) {
  clew_check(*area, 8);
  u64 value = *(u64 *)*area;
  *area += 8;
  return value;
}

static u64 read_length(u64 at, struct conversion *how) {
  how->bits = 32;
  u8 letter = *AT(at);
  if (letter == 'h') {
    how->bits = AT(at)[1] == 'h' ? 8 : 16;
    return at + 1 + (how->bits == 8);
  }
  if (letter == 'l' || letter == 'z' || letter == 'j' || letter == 't') {
    how->bits = 64;
    return at + 1 + (letter == 'l' && AT(at)[1] == 'l');
  }
  return at;
}

static u64 read_flags(u64 at, struct conversion *how, u64 *area) {
  for (;; at++) {
    u8 letter = *AT(at);
    if (letter == '-') how->left = 1;
    else if (letter == '+') how->plus = 1;
    else if (letter == ' ') how->space = 1;
    else if (letter == '#') how->alternate = 1;
    else if (letter == '0') how->zero = 1;
    else break;
  }
  if (*AT(at) == '*') {
    int given = (int)clew_argument(area);
    how->left |= given < 0;
    how->width = given < 0 ? -(long long)given : given;
    at++;
  } else
    for (; *AT(at) >= '0' && *AT(at) <= '9' && how->width < 1000000; at++)
      how->width = how->width * 10 + *AT(at) - '0';
  how->precision = -1;
  if (*AT(at) == '.') {
    how->precision = 0;
    if (*AT(++at) == '*') {
      how->precision = (int)clew_argument(area);
      at++;
    } else
      for (; *AT(at) >= '0' && *AT(at) <= '9' && how->precision < 1000000; at++)
        how->precision = how->precision * 10 + *AT(at) - '0';
  }
  return read_length(at, how);
}

static void formatted(struct sink *sink, u64 format, u64 area) {
  u64 end = format + clew_string(format);
  for (u64 at = format; at < end; at++) {
    if (*AT(at) != '%') {
      put(sink, *AT(at));
      continue;
    }
    struct conversion how = {0};
    at = read_flags(at + 1, &how, &area);
    u8 letter = *AT(at);
    union { u64 bits; double value; } number;
    u8 single;
    switch (letter) {
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
      put_integer(sink, &how, letter, clew_argument(&area));
      break;
    case 'c':
      single = clew_argument(&area);
      padded(sink, &how, "", &single, 1, 0);
      break;
    case 's':
      number.bits = clew_argument(&area);
      u64 most = how.precision < 0 ? ~0ull : how.precision, size = clew_string_within(number.bits, most);
      read_string(sink, number.bits, size < most ? size + 1 : most);
      padded(sink, &how, "", AT(number.bits), size, 0);
      break;
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G':
      number.bits = clew_argument(&area);
      put_float(sink, &how, letter, number.value);
      break;
    case '%':
      put(sink, '%');
      break;
    default:
      clew_end(END_UNSUPPORTED, 0, ~0ull);
    }
  }
}

/* What goes to a descriptor that cannot be written goes nowhere. */
static struct sink descriptor_sink(u32 number) {
  struct descriptor *opened = clew_descriptor(number);
  if (!opened || !opened->writes)
    return (struct sink){NOWHERE};
  if (clew_is_output(opened))
    return (struct sink){number == 1 ? PRINTED : NOWHERE};
  return (struct sink){.file = opened};
}

static struct sink stream_sink(u64 stream) { return descriptor_sink(clew_stream(stream)->descriptor); }

static u32 print_to(u64 stream, u64 format, u64 area) {
  struct sink sink = stream_sink(stream);
  formatted(&sink, format, area);
  return sink.count;
}

static u32 format_into(u64 to, u64 room, u64 format, u64 area) {
  if (room)
    clew_check(to, 1);
  struct sink sink = {room ? to : NOWHERE, room ? room - 1 : 0, 0};
  formatted(&sink, format, area);
  if (room) {
    u64 end = to + (sink.count < room ? sink.count : room - 1);
    clew_check(end, 1);
    if (sink.ahead && sink.ahead <= end)
      clew_end(END_BUG, BUG_OVERLAP, (u64)__builtin_return_address(0));
    *AT(end) = 0;
  }
  return sink.count;
}

/* Where the variable arguments of a va_list lie: its registers are always used up. */
u64 clew_area_of(u64 list) {
#if defined(__x86_64__)
  list += 8;
#endif
  clew_check(list, 8);
  return *(u64 *)list;
}

/* A va_list as the processor's code reads it: all arguments lie in memory, and no registers hold any. */
void clew_va_start(u64 list, u64 area) {
#if defined(__x86_64__)
  clew_check(list, 24);
  ((u32 *)list)[0] = 48;
  ((u32 *)list)[1] = 176;
  ((u64 *)list)[1] = ((u64 *)list)[2] = area;
#else
  clew_check(list, 32);
  ((u64 *)list)[0] = ((u64 *)list)[1] = ((u64 *)list)[2] = area;
  ((u64 *)list)[3] = 0;
#endif
}

u32 m_printf(u64 format, u64 area) {
  return print_to(clew_streams + 64, format, area);
}

u32 m_vprintf(u64 format, u64 list) {
  return print_to(clew_streams + 64, format, clew_area_of(list));
}

u32 m_fprintf(u64 stream, u64 format, u64 area) {
  return print_to(stream, format, area);
}

u32 m_vfprintf(u64 stream, u64 format, u64 list) {
  return print_to(stream, format, clew_area_of(list));
}

u32 m_sprintf(u64 to, u64 format, u64 area) {
  return format_into(to, ~0ull >> 1, format, area);
}

u32 m_vsprintf(u64 to, u64 format, u64 list) {
  return format_into(to, ~0ull >> 1, format, clew_area_of(list));
}

u32 m_snprintf(u64 to, u64 room, u64 format, u64 area) {
  return format_into(to, room, format, area);
}

u32 m_vsnprintf(u64 to, u64 room, u64 format, u64 list) {
  return format_into(to, room, format, clew_area_of(list));
}

u32 m_fputc(u32 character, u64 stream) {
  struct sink sink = stream_sink(stream);
  put(&sink, character);
  return character & 255;
}

u32 m_putc(u32 character, u64 stream) {
  return m_fputc(character, stream);
}

u32 m_putchar(u32 character) {
  return m_fputc(character, clew_streams + 64);
}

u32 m_fputs(u64 text, u64 stream) {
  struct sink sink = stream_sink(stream);
  u64 size = clew_string(text);
  for (u64 at = 0; at < size; at++)
    put(&sink, *AT(text + at));
  return 1;
}

u32 m_puts(u64 text) {
  m_fputs(text, clew_streams + 64);
  m_putchar('\n');
  return 1;
}

static void put_block(struct sink sink, u64 from, u64 size) {
  clew_check(from, size);
  for (u64 at = 0; at < size; at++)
    put(&sink, *AT(from + at));
}

u64 m_fwrite(u64 from, u64 size, u64 count, u64 stream) {
  u64 all;
  if (__builtin_mul_overflow(size, count, &all))
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  put_block(stream_sink(stream), from, all);
  return size ? count : 0;
}

u32 m_fflush(u64 stream) {
  if (stream)
    clew_stream(stream);
  return 0;
}

u64 m_write(u32 descriptor, u64 from, u64 size) {
  struct descriptor *opened = clew_descriptor(descriptor);
  if (!opened || !opened->writes) {
    *(u32 *)clew_errno = EBADF;
    return -1;
  }
  put_block(descriptor_sink(descriptor), from, size);
  return size;
}
