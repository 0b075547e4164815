/* regex.h: tries all ways to match, and keeps the longest. */

#include "regex_code.h"

typedef struct {
    const char *start, *end;            /* end is null where a NUL ends the text */
    const char *saved[2 * GROUPS], *best[2 * GROUPS], *marks[LOOPS];
    int flags, eflags, found;
} matcher;

static int __clew_is_end(matcher *m, const char *at) { return m->end ? at == m->end : !*at; }

static int __clew_boundary(matcher *m, const char *at, int what)
{
    int before = at != m->start && __clew_word((unsigned char)at[-1]);
    int after = !__clew_is_end(m, at) && __clew_word((unsigned char)*at);
    switch (what) {
        case '<': return !before && after;
        case '>': return before && !after;
        case 'b': return before != after;
        default: return before == after;
    }
}

static int __clew_matches(matcher *m, const code *i, const char *at)
{
    int c = (unsigned char)*at;
    if (i->op == ANY)
        return !(c == '\n' && (m->flags & REG_NEWLINE));
    if (i->op == SET)
        return i->set[c];
    return (m->flags & REG_ICASE ? __clew_lower(c) : c) == i->x;
}

/* How far what a group has matched is there again; -1 if it is not. */
static int __clew_again(matcher *m, int group, const char *at)
{
    const char *from = m->saved[2 * group], *to = m->saved[2 * group + 1];
    if (!from || !to)
        return -1;
    for (int i = 0; i < to - from; i++) {
        if (__clew_is_end(m, at + i))
            return -1;
        int a = (unsigned char)from[i], b = (unsigned char)at[i];
        if (m->flags & REG_ICASE ? __clew_lower(a) != __clew_lower(b) : a != b)
            return -1;
    }
    return to - from;
}

/* All ways on from here, until one ends where no other can end later; its groups are kept if it is the longest. */
static int __clew_run(matcher *m, const code *i, const char *at)
{
    for (;; i++) {
        const char *old;
        int length;
        switch (i->op) {
            case START:
                if (at == m->start ? (m->eflags & REG_NOTBOL) : !((m->flags & REG_NEWLINE) && at[-1] == '\n'))
                    return 0;
                break;
            case END:
                if (__clew_is_end(m, at) ? (m->eflags & REG_NOTEOL) : !((m->flags & REG_NEWLINE) && *at == '\n'))
                    return 0;
                break;
            case WORD:
                if (!__clew_boundary(m, at, i->x))
                    return 0;
                break;
            case SAVE:
                old = m->saved[i->x];
                m->saved[i->x] = at;
                if (__clew_run(m, i + 1, at))
                    return 1;
                m->saved[i->x] = old;
                return 0;
            case MARK:
                old = m->marks[i->x];
                m->marks[i->x] = at;
                if (__clew_run(m, i + 1, at))
                    return 1;
                m->marks[i->x] = old;
                return 0;
            case CHECK:
                i += m->marks[i->x] == at;      /* past the jump back */
                break;
            case SPLIT:
                if (__clew_run(m, i + 1, at))
                    return 1;
                i += i->x - 1;
                break;
            case JUMP:
                i += i->x - 1;
                break;
            case BACK:
                length = __clew_again(m, i->x, at);
                if (length < 0)
                    return 0;
                at += length;
                break;
            case MATCH:
                if (!m->found || at > m->best[1]) {
                    m->found = 1;
                    m->saved[1] = at;
                    memcpy(m->best, m->saved, sizeof m->best);
                }
                return __clew_is_end(m, at);
            default:
                if (__clew_is_end(m, at) || !__clew_matches(m, i, at))
                    return 0;
                at++;
        }
    }
}

int regexec(const regex_t *restrict expression, const char *restrict text, size_t count, regmatch_t *restrict matches,
            int flags)
{
    program *q = __clew_listed(*__clew_place_of(expression));
    const char *from = text;
    matcher m;
    memset(&m, 0, sizeof m);
    m.flags = q->flags;
    m.eflags = flags;
#ifdef REG_STARTEND
    if (flags & REG_STARTEND) {
        from = text + matches[0].rm_so;
        m.end = text + matches[0].rm_eo;
    }
#endif
    m.start = from;
    for (;; from++) {
        m.saved[0] = from;
        __clew_run(&m, q->at, from);
        if (m.found)
            break;
        if (__clew_is_end(&m, from))
            return REG_NOMATCH;
    }
    for (size_t i = 0; i < count && !(q->flags & REG_NOSUB); i++) {
        int known = i <= (size_t)q->groups && m.best[2 * i] && m.best[2 * i + 1];
        matches[i].rm_so = known ? m.best[2 * i] - text : -1;
        matches[i].rm_eo = known ? m.best[2 * i + 1] - text : -1;
    }
    return 0;
}
