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
typedef struct { code *at; int size, room, groups, loops, flags; size_t next; } program;

/* The second word of a regex_t: there is room for our own in every libc. */
static program **__clew_held(const regex_t *expression) { return (program **)expression + 1; }

/* All programs that regcomp has made, and regfree not freed, are in a list: the complements of their addresses, so that
   one that nobody else holds is lost. */
extern size_t *__clew_programs(void);
static program *__clew_listed(size_t entry) { return (program *)~entry; }

extern _Noreturn void __clew_foreign_expression(void);          /* a model in Python: the path ends */

/* Where the program of an expression is in the list; anything may be in a regex_t that regcomp has not made. */
static size_t *__clew_place_of(const regex_t *expression)
{
    program *wanted = *__clew_held(expression);
    size_t *place = __clew_programs();
    while (*place && __clew_listed(*place) != wanted)
        place = &__clew_listed(*place)->next;
    if (!*place)
        __clew_foreign_expression();
    return place;
}

static int __clew_lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
static int __clew_letter(int c) { return __clew_lower(c) >= 'a' && __clew_lower(c) <= 'z'; }
static int __clew_digit(int c) { return c >= '0' && c <= '9'; }
static int __clew_word(int c) { return __clew_letter(c) || __clew_digit(c) || c == '_'; }
