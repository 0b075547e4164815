// A JSON tokenizer in the manner of small embedded parsers: tokens in an array the caller gives, no copies.
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <klee/klee.h>

enum type { OBJECT, ARRAY, STRING, NUMBER, LITERAL };
enum { NO_ROOM = -1, INVALID = -2, PARTIAL = -3 };

struct token {
  enum type type;
  int start, end;
  int parent; /* index of the token that holds this one, -1 at the top */
  int children;
};

struct parser {
  const char *text;
  int length;
  int position;
  struct token *tokens;
  int count, room;
  int parent;
};

static int open_token(struct parser *p, enum type type, int start) {
#ifdef BUG
  if (p->count > p->room)
    return NO_ROOM;
#else
  if (p->count >= p->room)
    return NO_ROOM;
#endif
  struct token *t = &p->tokens[p->count];
  // expect: out-of-bounds @+1
  t->type = type;
  t->start = start;
  t->end = -1;
  t->children = 0;
  t->parent = p->parent;
  if (p->parent >= 0)
    p->tokens[p->parent].children++;
  return p->count++;
}

static int close_container(struct parser *p, char bracket) {
#ifndef BUG
  if (p->parent < 0)
    return INVALID;
#endif
  struct token *t = &p->tokens[p->parent];
  // expect: out-of-bounds @+1
  if (t->type != (bracket == '}' ? OBJECT : ARRAY))
    return INVALID;
  t->end = p->position;
  p->parent = t->parent;
  return 0;
}

static bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

static int string(struct parser *p) {
  int start = ++p->position;
  while (p->position < p->length) {
    char c = p->text[p->position];
    if (c == '"') {
      int index = open_token(p, STRING, start);
      if (index >= 0)
        p->tokens[index].end = p->position++;
      return index;
    }
    if ((unsigned char)c < 0x20)
      return INVALID;
    if (c == '\\') {
#ifdef BUG
      p->position++;
#else
      if (++p->position >= p->length)
        return PARTIAL;
#endif
      // expect: out-of-bounds @+1
      char escape = p->text[p->position];
      if (escape == 'u') {
        for (int i = 0; i < 4; i++) {
          if (++p->position >= p->length)
            return PARTIAL;
          if (!is_hex(p->text[p->position]))
            return INVALID;
        }
      } else if (!escape || !strchr("\"\\/bfnrt", escape))
        return INVALID;
    }
    p->position++;
  }
  return PARTIAL;
}

static int number(struct parser *p, int *value) {
  bool negative = p->text[p->position] == '-';
  int index = open_token(p, NUMBER, p->position);
  if (index < 0)
    return index;
  if (negative)
    p->position++;
  int result = 0, digits = 0;
  while (p->position < p->length && p->text[p->position] >= '0' && p->text[p->position] <= '9') {
    int digit = p->text[p->position++] - '0';
#ifndef BUG
    if (result > (2147483647 - digit) / 10)
      return INVALID;
#endif
    // expect: signed-overflow @+1
    result = result * 10 + digit;
    digits++;
  }
  if (digits == 0)
    return INVALID;
  *value = negative ? -result : result;
  p->tokens[index].end = p->position;
  return index;
}

static int literal(struct parser *p, const char *word) {
  int length = (int)strlen(word);
  if (p->length - p->position < length || strncmp(p->text + p->position, word, (size_t)length) != 0)
    return INVALID;
  int index = open_token(p, LITERAL, p->position);
  if (index < 0)
    return index;
  p->position += length;
  p->tokens[index].end = p->position;
  return index;
}

static int tokenize(struct parser *p, int *last) {
  while (p->position < p->length) {
    int status;
    char c = p->text[p->position];
    switch (c) {
    case '{':
    case '[':
      status = open_token(p, c == '{' ? OBJECT : ARRAY, p->position);
      p->parent = status;
      p->position++;
      break;
    case '}':
    case ']':
      p->position++;
      status = close_container(p, c);
      break;
    case '"':
      status = string(p);
      break;
    case ' ':
    case '\t':
    case '\n':
    case ':':
    case ',':
      p->position++;
      continue;
    case 't':
      status = literal(p, "true");
      break;
    case 'n':
      status = literal(p, "null");
      break;
    default:
      if (c != '-' && (c < '0' || c > '9'))
        return INVALID;
      status = number(p, last);
    }
    if (status < 0)
      return status;
  }
  return p->parent >= 0 ? PARTIAL : p->count;
}

static int run(const char *text, int length) {
  struct token tokens[3];
  int last = 0;
  struct parser parser = {.text = text, .length = length, .tokens = tokens, .room = 3, .parent = -1};
  int count = tokenize(&parser, &last);
  for (int i = 0; i < count; i++)
    assert(tokens[i].start >= 0 && tokens[i].end <= length && tokens[i].parent < i);
  return count;
}

int main(void) {
  char text[7], digits[12] = "12345";
  if (klee_range(0, 2, "numbers")) {
    klee_make_symbolic(digits + 5, 7, "digits");
    printf("%d tokens\n", run(digits, 11));
  } else {
    klee_make_symbolic(text, sizeof text, "text");
    printf("%d tokens\n", run(text, klee_range(0, 8, "length")));
  }
  return 0;
}
