// A command interpreter on standard input: "sxTEXT" sets the variable x, "px" prints it, "ux" unsets it, "l" or "ll" or
// ... shows a line of the history, "q" ends. The commands are in a table of functions.
// stdin: 8
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLES 1
#define HISTORY 2
#define LINE_SIZE 4

struct variable {
  char name;
  char *value;
};

static struct variable variables[VARIABLES];
static char history[HISTORY][LINE_SIZE];
static int history_count;

static struct variable *find(char name) {
  for (int i = 0; i < VARIABLES; i++)
    if (variables[i].name == name)
      return &variables[i];
  return NULL;
}

static char *copy(const char *text) {
  char *result = malloc(strlen(text) + 1);
  if (!result)
    abort();
  return strcpy(result, text);
}

static int set(const char *argument) {
  if (!argument[0])
    return -1;
  struct variable *v = find(argument[0]);
  if (!v)
    v = find('\0');
#ifndef BUG
  if (!v)
    return -1;
#endif
  // expect: null-dereference @+1
  v->name = argument[0];
  // expect: double-free @+1
  free(v->value);
  v->value = copy(argument + 1);
  return 0;
}

static int print(const char *argument) {
  struct variable *v = find(argument[0]);
  if (!v || !v->value)
    return -1;
  // expect: use-after-free @+1
  puts(v->value);
  return 0;
}

static int unset(const char *argument) {
  struct variable *v = argument[0] ? find(argument[0]) : NULL;
  if (!v)
    return -1;
  // expect: double-free @+1
  free(v->value);
#ifndef BUG
  v->value = NULL;
  v->name = '\0';
#endif
  return 0;
}

static int last(const char *argument) {
  int back = 1;
  while (*argument++ == 'l')
    back++;
#ifndef BUG
  if (back > history_count)
    return -1;
#endif
  // expect: out-of-bounds @+1
  puts(history[history_count - back]);
  return 0;
}

static const struct {
  char letter;
  int (*run)(const char *argument);
} commands[] = {{'s', set}, {'p', print}, {'u', unset}, {'l', last}};

/* Cuts off white space at the end. */
static size_t trim(char *line) {
  size_t n = strlen(line);
#ifdef BUG
  // expect: out-of-bounds @+1
  while (isspace((unsigned char)line[n - 1]))
#else
  while (n > 0 && isspace((unsigned char)line[n - 1]))
#endif
    n--;
  line[n] = '\0';
  return n;
}

static void remember(const char *line) {
  if (history_count == HISTORY) {
    memmove(history, history + 1, (HISTORY - 1) * sizeof *history);
    history_count--;
  }
  strcpy(history[history_count++], line);
}

static int execute(const char *line) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (line[0] == commands[i].letter)
      return commands[i].run(line + 1);
  return -1;
}

int main(void) {
  char line[LINE_SIZE];
  int failures = 0;
  while (failures < 3 && fgets(line, sizeof line, stdin)) {
    if (trim(line) == 0)
      continue;
    if (line[0] == 'q')
      break;
    remember(line);
    if (execute(line) < 0)
      failures++;
  }
  for (int i = 0; i < VARIABLES; i++)
    // expect: double-free @+1
    free(variables[i].value);
  return failures > 0;
}
