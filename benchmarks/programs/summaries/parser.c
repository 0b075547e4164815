/* Animated icons: RIFF chunks in the shape of an ANI file are read, what playing them needs is measured, and buffers
   are chosen.

   "RIFF" size "ACON", then chunks: "anih" (counts, size of the pictures, flags), "rate" (ticks per step) and "seq "
   (frame per step), both of which may be shorter than the animation, "LIST" "fram" with an "icon" per frame, "csum"
   (sum of the bytes of all icons).

   The error: a table of events has no room for the mark at the end if there are as many steps as it has places. */
// start: file="RIFF\x6a\0\0\0ACON"
// start:      "anih\x24\0\0\0\x24\0\0\0\x03\0\0\0\x06\0\0\0\x10\0\0\0\x08\0\0\0\x04\0\0\0\x01\0\0\0\x0a\0\0\0\0\0\0\0"
// start:      "rate\x08\0\0\0\x05\0\0\0\x06\0\0\0"
// start:      "LIST\x22\0\0\0framicon\x02\0\0\0\x01\x02icon\x02\0\0\0\x03\x04icon\x02\0\0\0\x05\x06"
// bugs: 1
extern void klee_make_symbolic(void *place, unsigned long size, const char *name);

#define FILE_BYTES 120
#define MOST_FRAMES 200
#define MOST_STEPS 5000
#define MOST_PIXELS 4000000u
#define STORED 8
#define EVENTS 60
#define PAGE 4096

#define ID(a, b, c, d) ((unsigned)(a) | (unsigned)(b) << 8 | (unsigned)(c) << 16 | (unsigned)(d) << 24)
#define ICON 1u
#define ORDERED 2u

enum result { FINE, NOT_ANI, CUT, BAD_HEADER, BAD_RATE, BAD_ORDER, BAD_FRAMES, BAD_SUM, TOO_LARGE };
enum pool { SMALL, MEDIUM, LARGE, HUGE };

struct reader {
  const unsigned char *bytes;
  unsigned at, end;
};

struct movie {
  unsigned frames, steps, width, height, bits, rate, flags;
  unsigned stored, rates, order, sum;
  unsigned ticks[STORED], shown[STORED];
  int has_header;
};

struct needs {
  unsigned events, list_bytes, rows, pixels, pictures;
};

struct plan {
  enum pool list, pixels;
  int mapped, masks, tiles, stream, once;
};

struct event {
  unsigned when, frame;
};

static struct event events[EVENTS];

static unsigned word(struct reader *r) {
  const unsigned char *p = r->bytes + r->at;
  r->at += 4;
  return ID(p[0], p[1], p[2], p[3]);
}

/* The chunk at hand as a reader of its own; 0 if the file ends in the middle of it. */
static int chunk(struct reader *r, unsigned *id, struct reader *inside) {
  if (r->end - r->at < 8) return 0;
  *id = word(r);
  unsigned size = word(r);
  if (size > r->end - r->at) return 0;
  *inside = (struct reader){r->bytes, r->at, r->at + size};
  r->at += size;
  if (size % 2 && r->at < r->end) r->at++;
  return 1;
}

static enum result header(struct movie *m, struct reader *r) {
  if (r->end - r->at != 36 || word(r) != 36) return BAD_HEADER;
  m->frames = word(r);
  m->steps = word(r);
  m->width = word(r);
  m->height = word(r);
  m->bits = word(r);
  unsigned planes = word(r);
  m->rate = word(r);
  m->flags = word(r);
  if (m->frames == 0 || m->frames > MOST_FRAMES || m->steps == 0 || m->steps > MOST_STEPS) return BAD_HEADER;
  if (m->flags & ICON) {
    m->width = m->height = m->bits = 0; /* each icon has its own */
  } else {
    if (planes != 1 || m->width == 0 || m->width > 512 || m->height == 0 || m->height > 512) return BAD_HEADER;
    if (m->bits != 1 && m->bits != 4 && m->bits != 8 && m->bits != 24) return BAD_HEADER;
  }
  m->has_header = 1;
  return FINE;
}

static enum result rates(struct movie *m, struct reader *r) {
  unsigned count = (r->end - r->at) / 4;
  if (count > m->steps || count > STORED) return BAD_RATE;
  for (m->rates = 0; m->rates < count; m->rates++) {
    unsigned ticks = word(r);
    if (ticks == 0) return BAD_RATE;
    m->ticks[m->rates] = ticks;
  }
  return FINE;
}

static enum result order(struct movie *m, struct reader *r) {
  unsigned count = (r->end - r->at) / 4;
  if (count > m->steps || count > STORED) return BAD_ORDER;
  for (m->order = 0; m->order < count; m->order++) {
    unsigned frame = word(r);
    if (frame >= m->frames) return BAD_ORDER;
    m->shown[m->order] = frame;
  }
  m->flags |= ORDERED;
  return FINE;
}

static enum result list(struct movie *m, struct reader *r) {
  struct reader icon;
  unsigned id;
  if (r->end - r->at < 4) return CUT;
  if (word(r) != ID('f', 'r', 'a', 'm')) return FINE; /* names of artists and the like */
  while (r->at < r->end) {
    if (!chunk(r, &id, &icon)) return CUT;
    if (id != ID('i', 'c', 'o', 'n')) return BAD_FRAMES;
    for (; icon.at < icon.end; icon.at++) m->sum += icon.bytes[icon.at];
    m->stored++;
  }
  return m->stored > m->frames ? BAD_FRAMES : FINE;
}

static enum result parse(struct movie *m, struct reader *r) {
  struct reader inside;
  unsigned id;
  if (word(r) != ID('R', 'I', 'F', 'F')) return NOT_ANI;
  unsigned size = word(r);
  if (size < 4 || size > FILE_BYTES - 8) return CUT;
  r->end = 8 + size;
  if (word(r) != ID('A', 'C', 'O', 'N')) return NOT_ANI;
  while (r->at < r->end) {
    enum result result = FINE;
    if (!chunk(r, &id, &inside)) return CUT;
    if (id == ID('a', 'n', 'i', 'h')) {
      if (m->has_header) return BAD_HEADER;
      result = header(m, &inside);
    } else if (!m->has_header) {
      return BAD_HEADER;
    } else if (id == ID('r', 'a', 't', 'e')) {
      result = rates(m, &inside);
    } else if (id == ID('s', 'e', 'q', ' ')) {
      result = order(m, &inside);
    } else if (id == ID('L', 'I', 'S', 'T')) {
      result = list(m, &inside);
    } else if (id == ID('c', 's', 'u', 'm')) {
      if (inside.end - inside.at != 4 || word(&inside) != m->sum) return BAD_SUM;
    }
    if (result != FINE) return result;
  }
  return m->has_header && m->stored > 0 ? FINE : BAD_FRAMES;
}

/* A first pass over steps and rows, which stops as soon as it is too much. */
static enum result measure(const struct movie *m, struct needs *n) {
  unsigned line = (m->width * m->bits + 31) / 32 * 4;
  for (unsigned step = 0; step < m->steps; step++) {
    n->events++;
    n->list_bytes += sizeof(struct event);
  }
  for (unsigned frame = 0; frame < m->frames; frame++) {
    n->pictures++;
    for (unsigned row = 0; row < m->height; row++) {
      if (n->pixels > MOST_PIXELS - line) return TOO_LARGE;
      n->pixels += line;
      n->rows++;
    }
  }
  return FINE;
}

static enum pool pool_of(unsigned bytes) {
  if (bytes <= 512) return SMALL;
  if (bytes <= 4096) return MEDIUM;
  return bytes <= 65536 ? LARGE : HUGE;
}

static void choose(const struct needs *n, struct plan *p) {
  if (n->list_bytes % PAGE == 0) p->mapped = 1; /* whole pages: no copy */
  if (n->rows == 2 * n->pictures) p->masks = 1;
  if (n->rows > 4096) p->tiles = 1;
  if (n->pictures > 100) p->stream = 1;
  if (n->events == n->pictures) p->once = 1;
  p->list = pool_of(n->list_bytes);
  p->pixels = pool_of(n->pixels);
}

/* The times at which frames are shown, ended by a mark. */
static unsigned schedule(const struct movie *m, unsigned count) {
  unsigned when = 0;
  events[count].frame = m->frames;
  for (unsigned step = 0; step < count; step++) {
    events[step].when = when;
    events[step].frame = m->flags & ORDERED && step < m->order ? m->shown[step] : step % m->frames;
    when += step < m->rates ? m->ticks[step] : m->rate;
  }
  events[count].when = when;
  return when;
}

int main(void) {
  static unsigned char file[FILE_BYTES];
  struct reader r = {file, 0, FILE_BYTES};
  struct movie m = {0};
  struct needs n = {0};
  struct plan p = {0};
  klee_make_symbolic(file, sizeof file, "file");
  enum result result = parse(&m, &r);
  if (result == FINE) result = measure(&m, &n);
  if (result != FINE) return result;
  choose(&n, &p);
  if (n.events <= EVENTS && schedule(&m, n.events) > 3600) p.stream = 1;
  if (p.stream) return p.tiles ? 20 : 21;
  switch (p.pixels) {
    case SMALL: return p.masks ? 22 : 23;
    case MEDIUM: return p.mapped || p.once ? 24 : 25;
    case LARGE: return p.list == LARGE ? 26 : 27;
    default: return p.tiles ? 28 : 29;
  }
}
