/* Loops whose guards look at the bytes themselves: a scanner for words, numbers and comments. All of them depend on
   input and none can be summarized; what trying to costs shows here. */
// start: text="x=1;"
// bugs: 0
// overhead
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);

#define LENGTH 4

enum kind { END, WORD, NUMBER, MARK, COMMENT, WRONG };

static unsigned char text[LENGTH + 1];

static int is_letter(int c) { return (c >= 'a' && c <= 'z') || c == '_'; }
static int is_digit(int c) { return c >= '0' && c <= '9'; }

static enum kind next(int *at) {
  while (text[*at] == ' ' || text[*at] == '\n') ++*at;
  int c = text[*at];
  if (c == 0) return END;
  if (c == '#') {
    while (text[*at] != 0 && text[*at] != '\n') ++*at;
    return COMMENT;
  }
  if (is_letter(c)) {
    while (is_letter(text[*at]) || is_digit(text[*at])) ++*at;
    return WORD;
  }
  if (is_digit(c)) {
    unsigned value = 0;
    while (is_digit(text[*at])) value = value * 10 + (text[(*at)++] - '0');
    return value > 999999 ? WRONG : NUMBER;
  }
  ++*at;
  return c == '=' || c == '+' || c == '(' || c == ')' ? MARK : WRONG;
}

int main(void) {
  int counts[6] = {0}, at = 0, balance = 0;
  klee_make_symbolic(text, LENGTH, "text");
  for (;;) {
    int begin = at;
    enum kind kind = next(&at);
    counts[kind]++;
    if (kind == END) break;
    if (kind == WRONG) return 2;
    if (kind == MARK) balance += text[begin] == '(' ? 1 : text[begin] == ')' ? -1 : 0;
  }
  if (balance != 0) return 3;
  if (counts[WORD] == 2 && counts[NUMBER] == 1) return 0;
  return 1;
}
