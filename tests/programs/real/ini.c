// An INI parser with sections, comments and quoted values, and look-ups with a default.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <klee/klee.h>

#define NAME_MAX_LENGTH 4
#define VALUE_SIZE 3

struct entry {
  struct entry *next;
  char key[NAME_MAX_LENGTH + 1];
  char value[VALUE_SIZE];
};

struct section {
  char name[NAME_MAX_LENGTH + 1];
  struct entry *entries;
  struct section *next;
};

struct ini {
  struct section *sections;
  struct section *current;
  int errors;
};

static struct section *find_section(const struct ini *ini, const char *name) {
  for (struct section *s = ini->sections; s; s = s->next)
    if (strcmp(s->name, name) == 0)
      return s;
  return NULL;
}

static struct section *add_section(struct ini *ini, const char *name) {
  struct section *s = find_section(ini, name);
  if (s)
    return s;
  s = calloc(1, sizeof *s);
  if (!s)
    abort();
  strcpy(s->name, name);
  s->next = ini->sections;
  ini->sections = s;
  return s;
}

/* Copies an identifier and returns the character after it, or null if there is none or it is too long. */
static const char *read_name(const char *p, const char *end, char *name) {
  int n = 0;
  while (p < end && (isalnum((unsigned char)*p) || *p == '_')) {
#ifdef BUG
    if (n > NAME_MAX_LENGTH)
      return NULL;
#else
    if (n >= NAME_MAX_LENGTH)
      return NULL;
#endif
    name[n++] = *p++;
  }
  if (n == 0)
    return NULL;
  // expect: out-of-bounds @+1
  name[n] = '\0';
  return p;
}

static const char *skip_blanks(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\t'))
    p++;
  return p;
}

static int parse_section(struct ini *ini, const char *p, const char *end) {
  char name[NAME_MAX_LENGTH + 1];
  p = read_name(p, end, name);
  if (!p || p == end || *p != ']')
    return -1;
  ini->current = add_section(ini, name);
  return 0;
}

static int parse_entry(struct ini *ini, const char *p, const char *end) {
  char key[NAME_MAX_LENGTH + 1];
  p = read_name(p, end, key);
  if (!p)
    return -1;
  p = skip_blanks(p, end);
  if (p == end || *p != '=')
    return -1;
  p = skip_blanks(p + 1, end);
  if (p < end && *p == '"') {
    p++;
    const char *close = memchr(p, '"', (size_t)(end - p));
    if (!close)
      return -1;
    end = close;
  }
#ifndef BUG
  if (!ini->current)
    return -1;
#endif
  struct entry *e = calloc(1, sizeof *e);
  if (!e)
    abort();
  strcpy(e->key, key);
  size_t length = (size_t)(end - p);
#ifdef BUG
  if (length > VALUE_SIZE)
    length = VALUE_SIZE;
#else
  if (length > VALUE_SIZE - 1)
    length = VALUE_SIZE - 1;
#endif
  memcpy(e->value, p, length);
  // expect: null-dereference @+1
  e->next = ini->current->entries;
  ini->current->entries = e;
  return 0;
}

static void parse_line(struct ini *ini, const char *p, const char *end) {
  p = skip_blanks(p, end);
  if (p == end || *p == ';' || *p == '#')
    return;
  int status = *p == '[' ? parse_section(ini, p + 1, end) : parse_entry(ini, p, end);
  if (status < 0)
    ini->errors++;
}

static void parse(struct ini *ini, const char *text) {
  while (*text) {
    const char *end = strchr(text, '\n');
    if (!end)
      end = text + strlen(text);
    parse_line(ini, text, end);
    text = *end ? end + 1 : end;
  }
}

static const char *get(const struct ini *ini, const char *section, const char *key, const char *otherwise) {
  struct section *s = find_section(ini, section);
#ifndef BUG
  if (!s)
    return otherwise;
#endif
  // expect: null-dereference @+1
  for (struct entry *e = s->entries; e; e = e->next)
    if (strcmp(e->key, key) == 0)
      return e->value;
  return otherwise;
}

static void destroy(struct ini *ini) {
  for (struct section *s = ini->sections, *next; s; s = next) {
    for (struct entry *e = s->entries, *following; e; e = following) {
      following = e->next;
      free(e);
    }
    next = s->next;
    free(s);
  }
}

int main(void) {
  char text[16] = "[a]\nk=", rest[8];
  struct ini ini = {0};
  klee_make_symbolic(rest, sizeof rest, "rest");
  rest[sizeof rest - 1] = '\0';
  if (klee_range(0, 2, "within"))
    memcpy(text + 6, rest, sizeof rest);
  else
    memcpy(text, rest, sizeof rest);
  parse(&ini, text);
  printf("%d errors\n", ini.errors);
  // expect: out-of-bounds @+1
  printf("a.k is %s\n", get(&ini, "a", "k", "not set"));
  destroy(&ini);
  return 0;
}
