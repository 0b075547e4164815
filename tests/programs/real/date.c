// Dates from standard input: "YY-MM-DD+N", in this century; checks them, adds days, prints the day of the week.
// stdin: 10
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct date {
  int year, month, day;
};

static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int is_leap(int year) { return year % 4 == 0; } /* 2000 was one */

static int month_length(int year, int month) {
#ifdef BUG
  // expect: out-of-bounds @+1
  return lengths[month] + (month == 2 && is_leap(year));
#else
  return lengths[month - 1] + (month == 2 && is_leap(year));
#endif
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Reads exactly count digits; returns the place behind them, or null. */
static const char *digits(const char *p, int count, int *out) {
  int value = 0;
  for (int i = 0; i < count; i++) {
    if (!is_digit(p[i]))
      return NULL;
    value = value * 10 + (p[i] - '0');
  }
  *out = value;
  return p + count;
}

static const char *parse(const char *p, struct date *d) {
  p = digits(p, 2, &d->year);
  if (!p || *p++ != '-')
    return NULL;
  p = digits(p, 2, &d->month);
  if (!p || *p++ != '-')
    return NULL;
  p = digits(p, 2, &d->day);
  if (!p)
    return NULL;
  if (d->month < 1 || d->month > 12 || d->day < 1 || d->day > month_length(d->year, d->month))
    return NULL;
  return p;
}

static void add_days(struct date *d, int count) {
  d->day += count;
  while (d->day > month_length(d->year, d->month)) {
    d->day -= month_length(d->year, d->month);
    if (++d->month > 12) {
      d->month = 1;
      d->year++;
    }
  }
}

static unsigned weekday(const struct date *d) {
  static const unsigned shift[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
  unsigned y = 2000 + (unsigned)d->year - (d->month < 3);
  return (y + y / 4 - 15 + shift[d->month - 1] + (unsigned)d->day) % 7;
}

int main(void) {
  char line[16];
  struct date date = {0};
  int step;
  if (!fgets(line, sizeof line, stdin)) {
    puts("no date");
    return 1;
  }
  size_t length = strlen(line);
#ifdef BUG
  // expect: out-of-bounds @+1
  if (line[length - 2] == '\r')
    puts("lines end with CR LF");
#else
  if (length >= 2 && line[length - 2] == '\r')
    puts("lines end with CR LF");
#endif
  const char *rest = parse(line, &date);
  if (!rest) {
    puts("no date");
    return 1;
  }
#ifdef BUG
  if (*rest == '+')
    step = atoi(rest + 1);
#else
  step = *rest == '+' ? atoi(rest + 1) : 0;
#endif
  // expect: uninitialized @+1
  if (step < 0 || step > 40)
    return 1;
  add_days(&date, step);
  printf("20%02d-%02d-%02d is day %u of the week\n", date.year, date.month, date.day, weekday(&date));
  return 0;
}
