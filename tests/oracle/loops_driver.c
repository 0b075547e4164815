/* Compares relations, read as numbers from the standard input, with what iterations of loops lead to.
 *
 * What is in front of this has the iterations: ``steps``, a table of functions that take a state to the next one, with
 * inputs by choose(). A relation is a disjunction. To list the states that a disjunct relates one state to, cells (the
 * values of variables before and after, and unknowns) are given values level by level, between the bounds that rows
 * with known cells give. Where all of the states after it are given, it is just asked whether they are related.
 */
typedef __int128 huge;
struct view { int cell, after, place, width, is_signed; };
struct row { int equality, bits, count; wide constant; int *cells; wide *factors; };
struct term { wide factor; int count, *cells; };
struct congruence { int bits, count; struct term *terms; };
struct level { int place, cell, views, bounds, checks; wide least, greatest; struct view *view; int *bound, *check; };
struct disjunct {
  int views, checks, levels, places, congruences, rows;
  struct view *view;
  int *check;
  struct level *level;
  struct congruence *congruence;
  struct row *row;
};

static int count;
static int bits[8], dead[8], equal[8];
static wide low[8], before[8], after[8], cells[256];
static long total;
#define ALL (1L << 24)    /* states, at most */
#define FEW (1L << 16)    /* states of a loop all of whose steps are kept */
#define MOST_REACHED 40000 /* from a state that is begun with */
static int stamp, seen[ALL], said[ALL]; /* the last number of a question whose answer has the state */
static int reached[MOST_REACHED + 1], told[ALL];
static long told_count;
static int known[FEW], edge_count[FEW], loop_number; /* by states: the last loop whose edges from there are known */
static long first_edge[FEW], edges_used, edges_room;
static int *edges;
static long long work, hard;
static int tired; /* of a question with too many answers */
static struct disjunct *now;

static wide number(void) {
  wide value;
  if (scanf("%lld", &value) != 1) abort();
  return value;
}
static int small(void) { return (int)number(); }
static void *room(size_t size) {
  void *made = calloc(1, size ? size : 1);
  if (!made) abort();
  return made;
}
static int *numbers(int much) {
  int *made = room(sizeof(int) * much);
  for (int i = 0; i < much; i++) made[i] = small();
  return made;
}
static struct view *views(int much) {
  struct view *made = room(sizeof *made * much);
  for (int i = 0; i < much; i++) {
    made[i].cell = small(), made[i].after = small(), made[i].place = small();
    made[i].width = small(), made[i].is_signed = small();
  }
  return made;
}
static void read_level(struct level *l) {
  l->place = small(), l->cell = small(), l->least = number(), l->greatest = number();
  l->views = small(), l->view = views(l->views);
  l->bounds = small(), l->bound = numbers(l->bounds);
  l->checks = small(), l->check = numbers(l->checks);
}
static void read_disjunct(struct disjunct *d) {
  d->views = small(), d->view = views(d->views);
  d->rows = small(), d->row = room(sizeof *d->row * d->rows);
  for (struct row *r = d->row; r < d->row + d->rows; r++) {
    r->equality = small(), r->bits = small(), r->constant = number(), r->count = small();
    r->cells = room(sizeof(int) * r->count), r->factors = room(sizeof(wide) * r->count);
    for (int i = 0; i < r->count; i++) r->cells[i] = small(), r->factors[i] = number();
  }
  d->checks = small(), d->check = numbers(d->checks);
  d->places = small();
  d->levels = small(), d->level = room(sizeof *d->level * d->levels);
  for (int i = 0; i < d->levels; i++) read_level(d->level + i);
  d->congruences = small(), d->congruence = room(sizeof *d->congruence * d->congruences);
  for (struct congruence *c = d->congruence; c < d->congruence + d->congruences; c++) {
    c->bits = small(), c->count = small(), c->terms = room(sizeof *c->terms * c->count);
    for (int i = 0; i < c->count; i++) {
      c->terms[i].factor = number(), c->terms[i].count = small(), c->terms[i].cells = numbers(c->terms[i].count);
    }
  }
}

/* States */

static void decode(long state, wide *s) {
  for (int i = 0; i < count; i++) s[i] = low[i] + (state & ((1 << bits[i]) - 1)), state >>= bits[i];
}
static long encode(const wide *s) {
  long state = 0;
  for (int i = count - 1; i >= 0; i--) state = state << bits[i] | (dead[i] ? 0 : s[i] - low[i]);
  return state;
}
/* All that one iteration leads to, at the end of the edges. */
static void expand(int (*step)(wide *), long at) {
  long first = edges_used;
  do {
    wide s[8];
    decode(at, s);
    place = 0;
    work++;
    if (!step(s)) continue;
    long to = encode(s), known_edge = first;
    while (known_edge < edges_used && edges[known_edge] != to) known_edge++;
    if (known_edge < edges_used) continue;
    if (edges_used == edges_room) edges = realloc(edges, sizeof *edges * (edges_room = 2 * edges_room + 1024));
    edges[edges_used++] = to;
  } while (following());
}
/* Marks what some iterations lead to, or just one; the number of states, which ``reached`` has; -1: too many. */
static long reach(int (*step)(wide *), long at, int once) {
  long top = 0, next = 0;
  stamp++;
  for (;;) {
    long first, end;
    if (total > FEW) edges_used = 0;
    if (total > FEW || known[at] != loop_number) {
      first = edges_used;
      expand(step, at);
      end = edges_used;
      if (total <= FEW) known[at] = loop_number, first_edge[at] = first, edge_count[at] = end - first;
    } else {
      first = first_edge[at], end = first + edge_count[at];
    }
    work += end - first;
    for (long e = first; e < end; e++) {
      if (seen[edges[e]] == stamp) continue;
      if (top == MOST_REACHED) return -1;
      seen[edges[e]] = stamp, reached[top++] = edges[e];
    }
    if (once || next == top) return top;
    at = reached[next++];
  }
}
static void tell(long state) {
  if (said[state] != stamp) said[state] = stamp, told[told_count++] = state;
}

/* Relations */

static void show(const struct view *v, int much) {
  for (; much--; v++) {
    wide value = v->after ? after[v->place] : before[v->place];
    cells[v->cell] = v->is_signed ? SIGNED(value, v->width) : v->width > 62 ? value : UNSIGNED(value, v->width);
  }
}
static huge sum(const struct row *r, int but) {
  huge value = r->constant;
  for (int i = 0; i < r->count; i++) if (r->cells[i] != but) value += (huge)r->factors[i] * cells[r->cells[i]];
  return value;
}
static int holds(const int *check, int much) {
  work += much;
  for (; much--; check++) {
    const struct row *r = now->row + *check;
    huge value = sum(r, -1);
    if (r->bits ? value & (((huge)1 << r->bits) - 1) : r->equality ? value != 0 : value < 0) return 0;
  }
  return 1;
}
static int congruent(const struct congruence *c) {
  unsigned long long value = 0;
  for (int i = 0; i < c->count; i++) {
    unsigned long long product = c->terms[i].factor;
    for (int k = 0; k < c->terms[i].count; k++) product *= (unsigned long long)cells[c->terms[i].cells[k]];
    value += product;
  }
  return !(c->bits < 64 ? value & ((1ULL << c->bits) - 1) : value);
}
static huge floor_of(huge a, huge b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
/* The bounds that a row gives the cell of a level. */
static void narrow(const struct level *l, const struct row *r, huge *least, huge *greatest) {
  huge factor = 0, rest = sum(r, l->cell);
  for (int i = 0; i < r->count; i++) if (r->cells[i] == l->cell) factor = r->factors[i];
  if (r->bits) { /* the factor is 1 or -1 */
    huge mask = ((huge)1 << r->bits) - 1, value = l->least + ((-rest * factor - l->least) & mask);
    if (value > *least) *least = value;
    if (value < *greatest) *greatest = value;
    return;
  }
  if (factor > 0 || r->equality) {
    huge value = -floor_of(factor > 0 ? rest : -rest, factor > 0 ? factor : -factor);
    if (value > *least) *least = value;
  }
  if (factor < 0 || r->equality) {
    huge value = floor_of(factor > 0 ? -rest : rest, factor > 0 ? factor : -factor);
    if (value < *greatest) *greatest = value;
  }
}
/* Whether there are values for what is left; marks the states after in ``said``, where they are not given. */
static int search(int depth) {
  if (depth == now->places && depth && said[encode(after)] == stamp) return 1;
  if (depth == now->levels) {
    for (int i = 0; i < now->congruences; i++) if (!congruent(now->congruence + i)) return 0;
    if (now->places) tell(encode(after));
    return 1;
  }
  const struct level *l = now->level + depth;
  huge least = l->least, greatest = l->greatest;
  work += l->bounds;
  for (int i = 0; i < l->bounds; i++) narrow(l, now->row + l->bound[i], &least, &greatest);
  for (huge value = least; value <= greatest && !tired; value++) {
    if (l->cell >= 0) cells[l->cell] = value;
    if (l->place >= 0) {
      int p = l->place;
      after[p] = low[p] + (((wide)value - low[p]) & ((1LL << bits[p]) - 1));
      show(l->view, l->views);
    }
    tired = ++work > hard;
    if (holds(l->check, l->checks) && search(depth + 1) && depth >= now->places) return 1;
  }
  return 0;
}
static int begin(struct disjunct *d) {
  now = d;
  show(d->view, d->views);
  return holds(d->check, d->checks);
}
/* Marks in ``said`` what the relation says; if it is not exact, of what is seen. */
static void ask(struct disjunct *d, int disjuncts, int exact, long found) {
  if (exact) {
    for (int i = 0; i < count; i++) after[i] = dead[i] ? low[i] : before[i];
    told_count = 0;
    for (; disjuncts--; d++) {
      if (!begin(d)) continue;
      if (d->places) search(0);
      else if (search(0)) tell(encode(after));
    }
    return;
  }
  for (long n = 0; n < found; n++) {
    decode(reached[n], after);
    int same = 1;
    for (int i = 0; i < count; i++) same = same && (!equal[i] || dead[i] || after[i] == before[i]);
    for (int k = 0; same && k < disjuncts; k++)
      if (begin(d + k) && search(0)) { said[reached[n]] = stamp; break; }
  }
}
static void compare(int loop, int which, int (*step)(wide *), long only, long long most) {
  int once = small(), exact = small(), disjuncts = 0;
  long missing = 0, extra = 0, wanted = total, turn, done = 0, *starts = 0;
  wide from[8], to[8];
  for (int i = 0; i < count; i++) equal[i] = small();
  disjuncts = small();
  struct disjunct *d = room(sizeof *d * disjuncts);
  for (int i = 0; i < disjuncts; i++) read_disjunct(d + i);
  work = tired = 0, hard = 20 * most;
  if (only >= 0) {
    long found = reach(step, only, 0);
    wanted = found < 0 ? 0 : 1 + found;
    starts = room(sizeof(long) * (wanted + 1));
    for (long i = 1; i < wanted; i++) starts[i] = reached[i - 1];
    starts[0] = only;
  }
  for (turn = 0; turn < wanted && work < most; turn++) {
    long start = only >= 0 ? starts[turn] : (long)((unsigned long)turn * 0x9E3779B1UL & (total - 1));
    long found = reach(step, start, once);
    if (found < 0) continue;
    decode(start, before);
    ask(d, disjuncts, exact, found);
    if (tired) break;
    done++;
    for (long i = 0; i < found; i++) {
      if (said[reached[i]] == stamp) continue;
      if (!missing++) memcpy(from, before, sizeof from), decode(reached[i], to);
    }
    for (long i = 0; exact && i < told_count; i++) {
      if (seen[told[i]] == stamp) continue;
      if (!extra++ && !missing) memcpy(from, before, sizeof from), decode(told[i], to);
    }
  }
  printf("%d %d %ld %ld %ld %ld", loop, which, missing, extra, done, wanted);
  if (missing || extra) {
    for (int i = 0; i < count; i++) printf(" %lld", from[i]);
    printf(" ->");
    for (int i = 0; i < count; i++) printf(" %lld", to[i]);
  }
  printf("\n");
  free(starts);
}
int main(void) {
  long long most = number();
  for (int loops = small(), loop = 0; loop < loops; loop++) {
    long only = number();
    int (*step)(wide *) = steps[loop];
    count = small(), total = 1;
    for (int i = 0; i < count; i++) bits[i] = small(), low[i] = number(), dead[i] = small(), total <<= bits[i];
    if (total > ALL) abort();
    loop_number++, edges_used = 0;
    for (int relations = small(), which = 0; which < relations; which++) compare(loop, which, step, only, most);
    fflush(stdout);
  }
  return 0;
}
