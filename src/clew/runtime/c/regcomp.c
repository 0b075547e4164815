/* regex.h: patterns become code (see regex_code.h), by recursive descent. */

#include "regex_code.h"

typedef struct { const char *text; program *into; int error, depth; unsigned closed; } parser;

static void __clew_alternatives(parser *p);

static int __clew_emit(parser *p, int op, int x)
{
    program *q = p->into;
    if (q->size == q->room) {
        code *more = realloc(q->at, (q->room = 2 * q->room + 16) * sizeof *more);
        if (!more) {
            p->error = REG_ESPACE;
            q->room = q->size;
            return 0;
        }
        q->at = more;
    }
    q->at[q->size] = (code){op, x, 0};
    return q->size++;
}

static int __clew_extended(parser *p) { return p->into->flags & REG_EXTENDED; }

/* Whether an operator comes next: by itself in extended expressions, behind a backslash in others. */
static int __clew_next(parser *p, char operator)
{
    return __clew_extended(p) ? *p->text == operator : *p->text == '\\' && p->text[1] == operator;
}

static void __clew_skip(parser *p) { p->text += __clew_extended(p) ? 1 : 2; }

static const char __clew_classes[] =
    "alpha digit alnum upper lower space blank punct print graph cntrl xdigit ";

static int __clew_in_class(int number, int c)
{
    int graph = c > 32 && c < 127;
    switch (number) {
        case 0: return __clew_letter(c);
        case 1: return __clew_digit(c);
        case 2: return __clew_letter(c) || __clew_digit(c);
        case 3: return c >= 'A' && c <= 'Z';
        case 4: return c >= 'a' && c <= 'z';
        case 5: return c == ' ' || (c >= 9 && c <= 13);
        case 6: return c == ' ' || c == 9;
        case 7: return graph && !__clew_letter(c) && !__clew_digit(c);
        case 8: return graph || c == ' ';
        case 9: return graph;
        case 10: return c < 32 || c == 127;
        default: return __clew_digit(c) || (__clew_lower(c) >= 'a' && __clew_lower(c) <= 'f');
    }
}

/* A class by its name, of a given length; -1 if there is none. */
static int __clew_class(const char *name, int length)
{
    int number = 0;
    for (const char *at = __clew_classes; *at; number++) {
        int same = 0;
        while (at[same] != ' ' && same < length && at[same] == name[same])
            same++;
        if (same == length && at[same] == ' ')
            return number;
        while (*at++ != ' ')
            ;
    }
    return -1;
}

/* One character of a set, or what stands between [. .] or [= =]; -1 where it is no character. */
static int __clew_element(parser *p)
{
    const char *at = p->text;
    if (at[0] == '[' && (at[1] == '.' || at[1] == '=')) {
        if (!at[2] || at[3] != at[1] || at[4] != ']') {
            p->error = REG_ECOLLATE;
            return -1;
        }
        p->text += 5;
        return (unsigned char)at[2];
    }
    if (!*at) {
        p->error = REG_EBRACK;
        return -1;
    }
    return (unsigned char)*p->text++;
}

static void __clew_add(parser *p, unsigned char *set, int c)
{
    set[c] = 1;
    if ((p->into->flags & REG_ICASE) && __clew_letter(c))
        set[__clew_lower(c)] = set[__clew_lower(c) - 32] = 1;
}

static void __clew_set(parser *p)
{
    int invert = *++p->text == '^', first = 1;
    int place = __clew_emit(p, SET, 0);
    unsigned char *set = p->error ? 0 : calloc(256, 1);
    if (!set) {
        p->error = REG_ESPACE;
        return;
    }
    p->into->at[place].set = set;
    p->text += invert;
    for (; (*p->text != ']' || first) && !p->error; first = 0) {
        if (p->text[0] == '[' && p->text[1] == ':') {
            const char *name = p->text += 2;
            while (*p->text && *p->text != ':')
                p->text++;
            int number = __clew_class(name, p->text - name);
            if (!*p->text || p->text[1] != ']' || number < 0) {
                p->error = *p->text ? REG_ECTYPE : REG_EBRACK;
                return;
            }
            for (int c = 1; c < 256; c++)
                if (__clew_in_class(number, c))
                    __clew_add(p, set, c);
            p->text += 2;
            continue;
        }
        int low = __clew_element(p), high = low;
        if (low >= 0 && p->text[0] == '-' && p->text[1] && p->text[1] != ']') {
            p->text++;
            high = __clew_element(p);
            if (high >= 0 && high < low)
                p->error = REG_ERANGE;
        }
        for (int c = low; c >= 0 && c <= high && !p->error; c++)
            __clew_add(p, set, c);
    }
    if (!p->error)
        p->text++;
    for (int c = 0; invert && c < 256; c++)
        set[c] = !set[c] && !(c == '\n' && (p->into->flags & REG_NEWLINE));
    set[0] = 0;
}

static int __clew_escape(parser *p)
{
    int c = (unsigned char)*++p->text;
    p->text += c != 0;
    if (!c)
        p->error = REG_EESCAPE;
    else if (__clew_digit(c) && c != '0') {
        if (!(p->closed >> (c - '0') & 1))
            p->error = REG_ESUBREG;
        __clew_emit(p, BACK, c - '0');
    } else if (c == '<' || c == '>' || c == 'b' || c == 'B') {
        __clew_emit(p, WORD, c);
        return 0;
    } else if (c == 'w' || c == 'W') {
        int place = __clew_emit(p, SET, 0);
        unsigned char *set = p->error ? 0 : calloc(256, 1);
        if (!set) {
            p->error = REG_ESPACE;
            return 0;
        }
        p->into->at[place].set = set;
        for (int i = 1; i < 256; i++)
            set[i] = __clew_word(i) == (c == 'w');
    } else
        __clew_emit(p, CHAR, p->into->flags & REG_ICASE ? __clew_lower(c) : c);
    return 1;
}

static int __clew_at_end(parser *p, int ahead)
{
    parser after = *p;
    after.text += ahead;
    return !*after.text || __clew_next(&after, '|') || (p->depth && __clew_next(&after, ')'));
}

/* One character, set, group or anchor; 0 if it is none that can be repeated. It is the first of its sequence (2), or
   the first behind an anchor (1): an operator cannot stand there, and is a character, or an error. */
static int __clew_atom(parser *p, int first)
{
    int c = (unsigned char)*p->text;
    if (__clew_next(p, '(')) {
        int group = ++p->into->groups;
        __clew_skip(p);
        if (group >= GROUPS) {
            p->error = REG_ESPACE;
            return 0;
        }
        __clew_emit(p, SAVE, 2 * group);
        p->depth++;
        __clew_alternatives(p);
        p->depth--;
        if (!p->error && !__clew_next(p, ')'))
            p->error = REG_EPAREN;
        if (p->error)
            return 0;
        __clew_skip(p);
        __clew_emit(p, SAVE, 2 * group + 1);
        p->closed |= 1u << group;
        return 1;
    }
    if (!__clew_extended(p) && c == '\\' && p->text[1] == ')' && !p->depth) {
        p->error = REG_EPAREN;
        return 0;
    }
    if (!__clew_extended(p) && first && c == '\\' && p->text[1] == '{')
        p->error = REG_BADRPT;
    if (c == '\\')
        return __clew_escape(p);
    if (c == '[')
        __clew_set(p);
    else if (c == '^' && (__clew_extended(p) || first == 2)) {
        p->text++;
        __clew_emit(p, START, 0);
        return 0;
    } else if (c == '$' && (__clew_extended(p) || __clew_at_end(p, 1))) {
        p->text++;
        __clew_emit(p, END, 0);
        return 0;
    } else {
        if (__clew_extended(p) && first && (c == '*' || c == '+' || c == '?' || c == '{'))
            p->error = REG_BADRPT;
        p->text++;
        __clew_emit(p, c == '.' ? ANY : CHAR, p->into->flags & REG_ICASE ? __clew_lower(c) : c);
    }
    return 1;
}

/* The code from a place on once more. */
static void __clew_repeat(parser *p, const code *part, int size)
{
    for (int i = 0; i < size && !p->error; i++) {
        int place = __clew_emit(p, part[i].op, part[i].x);
        if (p->error)
            return;
        if (part[i].op == SET && (p->into->at[place].set = malloc(256)))
            memcpy(p->into->at[place].set, part[i].set, 256);
    }
}

/* What was compiled from a place on, at least and at most so often; -1 for as often as it goes. */
static void __clew_between(parser *p, int place, int least, int most)
{
    program *q = p->into;
    int size = q->size - place, loop = q->loops;
    code *part = malloc((size + 1) * sizeof *part);
    if (!part) {
        p->error = REG_ESPACE;
        return;
    }
    memcpy(part, q->at + place, size * sizeof *part);
    q->size = place;
    for (int i = 0; i < least; i++)
        __clew_repeat(p, part, size);
    if (most < 0 && !p->error) {
        if (q->loops == LOOPS)
            p->error = REG_ESPACE;
        q->loops++;
        __clew_emit(p, SPLIT, size + 4);
        __clew_emit(p, MARK, loop);
        __clew_repeat(p, part, size);
        __clew_emit(p, CHECK, loop);
        __clew_emit(p, JUMP, -size - 3);
    }
    for (int i = least; i < most && !p->error; i++) {
        __clew_emit(p, SPLIT, (most - i) * (size + 1));
        __clew_repeat(p, part, size);
    }
    for (int i = 0; i < size; i++)
        free(part[i].set);
    free(part);
}

static int __clew_number(parser *p)
{
    int value = -1;
    while (__clew_digit((unsigned char)*p->text) && value <= MOST)
        value = (value < 0 ? 0 : value * 10) + *p->text++ - '0';
    return value;
}

static void __clew_bounds(parser *p, int *least, int *most)
{
    __clew_skip(p);
    *least = *most = __clew_number(p);
    if (*p->text == ',') {
        p->text++;
        *most = __clew_number(p);
        *least = *least < 0 ? 0 : *least;
    }
    if (!*p->text)
        p->error = REG_EBRACE;
    else if (*least < 0 || *least > MOST || *most > MOST || (*most >= 0 && *most < *least) || !__clew_next(p, '}'))
        p->error = REG_BADBR;
    else
        __clew_skip(p);
}

static void __clew_sequence(parser *p)
{
    for (int first = 2; !__clew_at_end(p, 0) && !p->error;) {
        int place = p->into->size, again = __clew_atom(p, first);
        first = !again;
        for (int times = 0; again && !p->error; times++) {
            int least = 0, most = -1;
            if (times && !__clew_extended(p) && (*p->text == '*' || __clew_next(p, '{')))
                p->error = REG_BADRPT;
            if (*p->text == '*')
                p->text++;
            else if (__clew_next(p, '+') || __clew_next(p, '?')) {
                least = p->text[!__clew_extended(p)] == '+';
                most = least ? -1 : 1;
                __clew_skip(p);
            } else if (__clew_next(p, '{'))
                __clew_bounds(p, &least, &most);
            else
                break;
            if (!p->error)
                __clew_between(p, place, least, most);
        }
    }
}

static void __clew_alternatives(parser *p)
{
    int place = p->into->size;
    unsigned before = p->closed, closed;
    __clew_sequence(p);
    if (p->error || !__clew_next(p, '|'))
        return;
    int size = p->into->size - place;
    __clew_skip(p);
    __clew_emit(p, JUMP, 0);
    __clew_emit(p, SPLIT, 0);
    if (p->error)
        return;
    code *at = p->into->at + place;
    memmove(at + 1, at, (size + 1) * sizeof *at);
    at[0] = (code){SPLIT, size + 2, 0};
    closed = p->closed;
    p->closed = before;                  /* one alternative does not refer to groups of another */
    __clew_alternatives(p);
    p->closed |= closed;
    if (!p->error)
        p->into->at[place + size + 1].x = p->into->size - (place + size + 1);
}

static size_t __clew_made;

size_t *__clew_programs(void) { return &__clew_made; }

void regfree(regex_t *expression)
{
    if (!*__clew_held(expression))
        return;
    size_t *place = __clew_place_of(expression);
    program *q = __clew_listed(*place);
    *place = q->next;
    for (int i = 0; i < q->size; i++)
        free(q->at[i].set);
    free(q->at);
    free(q);
    *__clew_held(expression) = 0;
}

int regcomp(regex_t *restrict expression, const char *restrict pattern, int flags)
{
    program *q = calloc(1, sizeof *q);
    parser p = {pattern, q, 0, 0};
    *__clew_held(expression) = q;
    if (!q)
        return REG_ESPACE;
    q->flags = flags;
    q->next = __clew_made;
    __clew_made = ~(size_t)q;
    __clew_alternatives(&p);
    while (!p.error && *p.text) {         /* a parenthesis that closes nothing is a character */
        __clew_emit(&p, CHAR, *p.text++);
        __clew_sequence(&p);
    }
    __clew_emit(&p, MATCH, 0);
    expression->re_nsub = q->groups;
    if (p.error)
        regfree(expression);
    return p.error;
}

static const char __clew_messages[] =
    "Success\0No match\0Invalid regular expression\0Invalid collation character\0Invalid character class name\0"
    "Trailing backslash\0Invalid back reference\0Unmatched [, [^, [:, [., or [=\0Unmatched ( or \\(\0Unmatched \\{\0"
    "Invalid content of \\{\\}\0Invalid range end\0Memory exhausted\0Invalid preceding regular expression\0";

size_t regerror(int error, const regex_t *restrict expression, char *restrict buffer, size_t size)
{
    const char *message = __clew_messages;
    while (error-- > 0 && *message)
        message += strlen(message) + 1;
    size_t needed = strlen(message) + 1;
    if (size) {
        size_t shown = needed > size ? size - 1 : needed - 1;
        memcpy(buffer, message, shown);
        buffer[shown] = 0;
    }
    return needed;
}
