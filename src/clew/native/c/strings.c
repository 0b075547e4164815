/* The C library of native runs: less usual functions of string.h and its neighbours. See library.c. */

#include "native.h"

void *memcpy(void *, const void *, unsigned long);
void *memmove(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
int memcmp(const void *, const void *, unsigned long);
u64 m_memcpy(u64 to, u64 from, u64 size);
u64 m_memmove(u64 to, u64 from, u64 size);
u64 m_memset(u64 to, u32 value, u64 size);
u64 m_strspn(u64 text, u64 of);
u64 m_strcspn(u64 text, u64 of);
u64 m_strchr(u64 text, u32 wanted);
u64 m_strrchr(u64 text, u32 wanted);
u32 m_memcmp(u64 a, u64 b, u64 size);
u32 m_strcmp(u64 a, u64 b);

/* Tokens */

static u64 saved; /* where strtok goes on */

void clew_reset_strings(void) { saved = 0; }

/* End the string at the first separator; where the next part begins, 0 if this is the last one. */
static u64 separated(u64 text, u64 of) {
  u64 end = text + m_strcspn(text, of);
  if (!*AT(end))
    return 0;
  clew_check(end, 1);
  *AT(end) = 0;
  return end + 1;
}

static u64 token(u64 text, u64 of, u64 *rest) {
  text += m_strspn(text, of);
  *rest = text;
  if (!*AT(text))
    return 0;
  u64 end = text + m_strcspn(text, of), next = separated(text, of);
  *rest = next ? next : end;
  return text;
}

u64 m_strtok(u64 text, u64 of) {
  return token(text ? text : saved, of, &saved);
}

u64 m_strtok_r(u64 text, u64 of, u64 place) {
  clew_check(place, 8);
  u64 rest, found = token(text ? text : *(u64 *)place, of, &rest);
  *(u64 *)place = rest;
  return found;
}

u64 m___strtok_r(u64 text, u64 of, u64 place) {
  return m_strtok_r(text, of, place);
}

u64 m_strsep(u64 place, u64 of) {
  clew_check(place, 8);
  u64 text = *(u64 *)place;
  if (text)
    *(u64 *)place = separated(text, of);
  return text;
}

/* Copies */

u64 m_mempcpy(u64 to, u64 from, u64 size) {
  return m_memcpy(to, from, size) + size;
}

void m_bcopy(u64 from, u64 to, u64 size) {
  m_memmove(to, from, size);
}

void m_bzero(u64 to, u64 size) {
  m_memset(to, 0, size);
}

void m_explicit_bzero(u64 to, u64 size) {
  m_memset(to, 0, size);
}

u64 m_memccpy(u64 to, u64 from, u32 last, u64 size) {
  for (u64 at = 0; at < size; at++) {
    clew_check(from + at, 1);
    if (*AT(from + at) == (u8)last)
      return m_memcpy(to, from, at + 1) + at + 1;
  }
  m_memcpy(to, from, size);
  return 0;
}

u64 m_stpncpy(u64 to, u64 from, u64 most) {
  u64 size = clew_string_within(from, most);
  clew_check(to, most);
  clew_apart(to, most, from, size < most ? size + 1 : most);
  memmove(AT(to), AT(from), size);
  memset(AT(to + size), 0, most - size);
  return to + size;
}

u64 m_strlcpy(u64 to, u64 from, u64 room) {
  u64 size = clew_string(from), copied = size < room ? size : room - 1;
  if (room) {
    clew_check(to, copied + 1);
    clew_apart(to, copied + 1, from, size + 1);
    memmove(AT(to), AT(from), copied);
    *AT(to + copied) = 0;
  }
  return size;
}

u64 m_strlcat(u64 to, u64 from, u64 room) {
  u64 there = clew_string_within(to, room);
  return there + m_strlcpy(to + there, from, room - there);
}

/* Search */

u64 m_index(u64 text, u32 wanted) {
  return m_strchr(text, wanted);
}

u64 m_rindex(u64 text, u32 wanted) {
  return m_strrchr(text, wanted);
}

u64 m_strchrnul(u64 text, u32 wanted) {
  u64 found = m_strchr(text, wanted);
  return found ? found : text + clew_string(text);
}

u64 m_memrchr(u64 from, u32 wanted, u64 size) {
  clew_check(from, size);
  for (u64 at = from + size; at-- > from;)
    if (*AT(at) == (u8)wanted)
      return at;
  return 0;
}

u64 m_memmem(u64 text, u64 size, u64 wanted, u64 part) {
  clew_check(text, size);
  clew_check(wanted, part);
  for (u64 at = 0; at + part <= size; at++)
    if (!memcmp(AT(text + at), AT(wanted), part))
      return text + at;
  return 0;
}

static u8 lowered(u8 c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

u64 m_strcasestr(u64 text, u64 wanted) {
  u64 size = clew_string(text), part = clew_string(wanted);
  for (u64 at = 0; at + part <= size; at++) {
    u64 same = 0;
    while (same < part && lowered(*AT(text + at + same)) == lowered(*AT(wanted + same)))
      same++;
    if (same == part)
      return text + at;
  }
  return 0;
}

u32 m_bcmp(u64 a, u64 b, u64 size) {
  return m_memcmp(a, b, size);
}

u32 m_strcoll(u64 a, u64 b) {
  return m_strcmp(a, b);
}

u32 m_ffs(u32 value) {
  return __builtin_ffs(value);
}

u32 m_ffsl(u64 value) {
  return __builtin_ffsll(value);
}

u32 m_ffsll(u64 value) {
  return __builtin_ffsll(value);
}
