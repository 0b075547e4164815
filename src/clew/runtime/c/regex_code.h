/* Compiled expressions, as regcomp.c makes and regexec.c runs them.

   Code: CHAR c, ANY, SET (with a byte for each character), START, END (of a line), WORD (\< \> \b \B), SAVE n (an end
   of a group), BACK n (what a group has matched), SPLIT offset (here first, there later), JUMP offset, MARK n and
   CHECK n (around what is repeated: no second round without progress), MATCH. */

#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum { CHAR, ANY, SET, START, END, WORD, SAVE, BACK, SPLIT, JUMP, MARK, CHECK, MATCH };
enum { GROUPS = 32, LOOPS = 64, MOST = 255 };

typedef struct { int op, x; unsigned char *set; } code;
typedef struct { code *at; int size, room, groups, loops, flags; } program;

/* The second word of a regex_t: there is room for our own in every libc. */
static program **__clew_held(const regex_t *expression) { return (program **)expression + 1; }

static int __clew_lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
static int __clew_letter(int c) { return __clew_lower(c) >= 'a' && __clew_lower(c) <= 'z'; }
static int __clew_digit(int c) { return c >= '0' && c <= '9'; }
static int __clew_word(int c) { return __clew_letter(c) || __clew_digit(c) || c == '_'; }
