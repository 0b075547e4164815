// An expression calculator: tokens, operator precedence on explicit stacks, variables, checked arithmetic.
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <klee/klee.h>

#define DEPTH 4

enum error { FINE, SYNTAX, TOO_DEEP, DIVISION, RANGE, UNKNOWN_NAME };

struct calculator {
  int values[DEPTH];
  char operators[DEPTH];
  int value_count, operator_count;
  enum error error;
};

static const int variables[] = {7, INT_MIN, INT_MAX}; /* x, y, z */

static bool fail(struct calculator *c, enum error error) {
  c->error = error;
  return false;
}

static bool push_value(struct calculator *c, int value) {
#ifndef BUG
  if (c->value_count == DEPTH)
    return fail(c, TOO_DEEP);
#endif
  // expect: out-of-bounds @+1
  c->values[c->value_count++] = value;
  return true;
}

static bool push_operator(struct calculator *c, char op) {
  if (c->operator_count == DEPTH)
    return fail(c, TOO_DEEP);
  c->operators[c->operator_count++] = op;
  return true;
}

static int precedence(char op) {
  switch (op) {
  case '*':
  case '/':
  case '%':
    return 3;
  case '+':
  case '-':
    return 2;
  case '<':
    return 1;
  default:
    return 0;
  }
}

static bool calculate(struct calculator *c, char op, int a, int b, int *result) {
  switch (op) {
  case '+':
#ifdef BUG
    // expect: signed-overflow @+1
    *result = a + b;
    return true;
#else
    return !__builtin_add_overflow(a, b, result) || fail(c, RANGE);
#endif
  case '-':
    return !__builtin_sub_overflow(a, b, result) || fail(c, RANGE);
  case '*':
    return !__builtin_mul_overflow(a, b, result) || fail(c, RANGE);
  case '/':
    if (b == 0)
      return fail(c, DIVISION);
#ifndef BUG
    if (a == INT_MIN && b == -1)
      return fail(c, RANGE);
#endif
    // expect: signed-overflow @+1
    *result = a / b;
    return true;
  case '%':
#ifndef BUG
    if (b == 0)
      return fail(c, DIVISION);
#endif
    // expect: division-by-zero @+1
    *result = b == -1 ? 0 : a % b;
    return true;
  case '<':
#ifndef BUG
    if (a < 0 || b < 0 || b > 30 || a > INT_MAX >> b)
      return fail(c, RANGE);
#endif
    // expect: shift @+1
    *result = a << b;
    return true;
  }
  return fail(c, SYNTAX);
}

/* Applies the operator on top of the stack. */
static bool reduce(struct calculator *c) {
  char op = c->operators[--c->operator_count];
  if (op == '(' || c->value_count < 2)
    return fail(c, SYNTAX);
  int b = c->values[--c->value_count], a = c->values[--c->value_count], result;
  return calculate(c, op, a, b, &result) && push_value(c, result);
}

static const char *operand(struct calculator *c, const char *p) {
  if (isdigit((unsigned char)*p)) {
    char *end;
    long value = strtol(p, &end, 10);
    return value <= INT_MAX && push_value(c, (int)value) ? end : NULL;
  }
  if (*p >= 'x' && *p <= 'z')
    return push_value(c, variables[*p - 'x']) ? p + 1 : NULL;
  fail(c, isalpha((unsigned char)*p) ? UNKNOWN_NAME : SYNTAX);
  return NULL;
}

static enum error evaluate(const char *p, int *result) {
  struct calculator c = {0};
  bool want_operand = true;
  while (*p) {
    if (*p == '(' && want_operand) {
      if (!push_operator(&c, *p++))
        break;
    } else if (*p == ')' && !want_operand) {
      while (c.operator_count && c.operators[c.operator_count - 1] != '(')
        if (!reduce(&c))
          return c.error;
      if (c.operator_count-- == 0)
        return SYNTAX;
      p++;
    } else if (want_operand) {
      if (*p == '-') {
        if (!push_value(&c, 0) || !push_operator(&c, *p++))
          break;
        continue;
      }
      p = operand(&c, p);
      if (!p)
        break;
      want_operand = false;
    } else {
      if (precedence(*p) == 0)
        return SYNTAX;
      while (c.operator_count && precedence(c.operators[c.operator_count - 1]) >= precedence(*p))
        if (!reduce(&c))
          return c.error;
      if (!push_operator(&c, *p++))
        break;
      want_operand = true;
    }
  }
  while (c.error == FINE && c.operator_count)
    if (!reduce(&c))
      break;
  if (c.error == FINE && c.value_count != 1)
    c.error = SYNTAX;
  if (c.error == FINE)
    *result = c.values[0];
  return c.error;
}

int main(void) {
  static const char *const texts[] = {"fine", "syntax", "too deep", "division by zero", "out of range", "unknown"};
  char text[6];
  int result = 0;
  klee_make_symbolic(text, sizeof text, "text");
  text[sizeof text - 1] = '\0';
  enum error error = evaluate(text, &result);
  printf("%s: %d\n", texts[error], result);
  return 0;
}
