/* What programs ask of the world around them, as the models have it: clocks, random numbers and variables of the
   environment are inputs; the process is alone, and sleeping takes no time. */

#include "native.h"

void *memcpy(void *, const void *, unsigned long);
int memcmp(const void *, const void *, unsigned long);

#define LAST_TIME 253402300799ll /* before the year 10000 */
#define RANDOM_MOST 0x7fffffffull
#define VARIABLE_LENGTH 8
#define MOST_VARIABLES 64
#define LONGEST_NAME 64

static long long last_time, last_clock;
static struct variable { u64 size, value; u8 name[LONGEST_NAME]; } variables[MOST_VARIABLES];
static u64 variable_count;

void clew_reset_environment(void) { last_time = last_clock = variable_count = 0; }

static void assume(int holds) {
  if (!holds)
    clew_end(END_ASSUMPTION, 0, 0);
}

/* Clocks never go back */

static u64 now(void) {
  long long value = clew_input(8);
  assume(value >= last_time && value <= LAST_TIME);
  return last_time = value;
}

u64 m_time(u64 to) {
  if (to)
    clew_check(to, 8);
  u64 value = now();
  if (to)
    *(u64 *)to = value;
  return value;
}

u64 m_clock(void) {
  long long value = clew_input(8);
  assume(value >= last_clock);
  return last_clock = value;
}

static void two_parts(u64 to, u64 limit) {
  if (!to)
    return;
  clew_check(to, 16);
  ((u64 *)to)[0] = now();
  u64 part = clew_input(8);
  assume(part < limit);
  ((u64 *)to)[1] = part;
}

u32 m_gettimeofday(u64 to, u64 zone) {
  two_parts(to, 1000000);
  return 0;
}

u32 m_clock_gettime(u32 clock, u64 to) {
  two_parts(to, 1000000000);
  return 0;
}

double m_difftime(u64 later, u64 earlier) {
  return (double)(long long)later - (double)(long long)earlier;
}

u32 m_sleep(u32 seconds) {
  return 0;
}

u32 m_usleep(u32 microseconds) {
  return 0;
}

/* Random numbers */

u32 m_rand(void) {
  u64 value = clew_input(4);
  assume(value <= RANDOM_MOST);
  return value;
}

u64 m_random(void) {
  u64 value = clew_input(8);
  assume(value <= RANDOM_MOST);
  return value;
}

u64 m_lrand48(void) {
  return m_random();
}

void m_srand(u32 seed) {
}

void m_srandom(u32 seed) {
}

void m_srand48(u64 seed) {
}

u32 m_arc4random(void) {
  return clew_input(4);
}

u32 m_rand_r(u64 seed) {
  clew_check(seed, 4);
  u32 value = m_rand();
  *(u32 *)seed = value;
  return value;
}

/* Variables of the environment: an input says whether there is one, and what it holds, the same each time. */

static struct variable *variable_of(u64 name, int make) {
  u64 size = clew_string(name);
  for (u64 at = 0; at < variable_count; at++)
    if (variables[at].size == size && !memcmp(variables[at].name, AT(name), size))
      return &variables[at];
  if (!make)
    return 0;
  if (size > LONGEST_NAME || variable_count == MOST_VARIABLES)
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  struct variable *made = &variables[variable_count++];
  made->size = size;
  memcpy(made->name, AT(name), size);
  return made;
}

u64 m_getenv(u64 name) {
  struct variable *known = variable_of(name, 0);
  if (known)
    return known->value;
  u64 missing = clew_input(1), value = clew_allocate(VARIABLE_LENGTH + 1, 16);
  assume(missing <= 1);
  clew_input_to(value, VARIABLE_LENGTH);
  *AT(value + VARIABLE_LENGTH) = 0;
  return variable_of(name, 1)->value = missing ? 0 : value;
}

u64 m_secure_getenv(u64 name) {
  return m_getenv(name);
}

/* A name that can be set, or errno says that it cannot. */
static int is_settable(u64 name) {
  u64 size = clew_string(name), at = 0;
  while (at < size && *AT(name + at) != '=')
    at++;
  if (size && at == size)
    return 1;
  *(u32 *)clew_errno = 22;
  return 0;
}

u32 m_setenv(u64 name, u64 value, u32 overwrite) {
  if (!is_settable(name))
    return -1;
  if (!overwrite && m_getenv(name))
    return 0;
  u64 size = clew_string(value) + 1, copy = clew_allocate(size, 16);
  memcpy(AT(copy), AT(value), size);
  variable_of(name, 1)->value = copy;
  return 0;
}

u32 m_unsetenv(u64 name) {
  if (!is_settable(name))
    return -1;
  variable_of(name, 1)->value = 0;
  return 0;
}
