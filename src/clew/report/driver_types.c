#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct clew_input {
  const char *name; const unsigned char *bytes; unsigned size; char is_signed, made_up; int pointee;
  long which, shift;
};
struct clew_around { int kind; const char *name; const char *content; unsigned long size; };
struct clew_test {
  const struct clew_input *inputs; unsigned count; const unsigned char *input; unsigned long input_size;
  const char *const *arguments; const struct clew_around *around; const char *note;
};
