// A growing ring buffer of messages, driven by a sequence of commands.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define COMMANDS 5
#define LARGEST 8

struct message {
  int id;
  int weight;
};

struct ring {
  struct message *slots;
  unsigned capacity, head, count;
};

/* An allocator that can fail, as on the device. */
static void *allocate(size_t size) { return __VERIFIER_nondet_bool() ? malloc(size) : NULL; }

static int ring_init(struct ring *r, unsigned capacity) {
  r->capacity = capacity;
  r->head = r->count = 0;
  r->slots = capacity ? allocate(capacity * sizeof *r->slots) : NULL;
  return capacity && !r->slots ? -1 : 0;
}

static int ring_grow(struct ring *r) {
  unsigned capacity = r->capacity ? 2 * r->capacity : 2;
  if (capacity > LARGEST)
    return -1;
  struct message *slots = allocate(capacity * sizeof *slots);
#ifndef BUG
  if (!slots)
    return -1;
#endif
  for (unsigned i = 0; i < r->count; i++)
    // expect: null-dereference @+1
    slots[i] = r->slots[(r->head + i) % r->capacity];
  free(r->slots);
  r->slots = slots;
  r->capacity = capacity;
  r->head = 0;
  return 0;
}

static struct message *ring_push(struct ring *r, int id, int weight) {
#ifdef BUG
  // expect: division-by-zero @+1
  unsigned at = (r->head + r->count) % r->capacity;
  if (r->count > r->capacity && ring_grow(r) < 0)
    return NULL;
#else
  if (r->count == r->capacity && ring_grow(r) < 0)
    return NULL;
  unsigned at = (r->head + r->count) % r->capacity;
#endif
  struct message *m = &r->slots[at];
  // expect: null-dereference @+1
  m->id = id;
  m->weight = weight;
  r->count++;
  return m;
}

static int ring_pop(struct ring *r, struct message *out) {
  if (r->count == 0)
    return -1;
  *out = r->slots[r->head];
  r->head = (r->head + 1) % r->capacity;
  r->count--;
  return 0;
}

static struct message *ring_find(struct ring *r, int id) {
  for (unsigned i = 0; i < r->count; i++) {
    struct message *m = &r->slots[(r->head + i) % r->capacity];
    if (m->id == id)
      return m;
  }
  return NULL;
}

static void ring_destroy(struct ring *r) {
  free(r->slots);
  memset(r, 0, sizeof *r);
}

/* The mean weight of what waits. */
static int ring_load(const struct ring *r) {
  long total = 0;
#ifndef BUG
  if (r->count == 0)
    return 0;
#endif
  for (unsigned i = 0; i < r->count; i++)
    total += r->slots[(r->head + i) % r->capacity].weight;
  // expect: division-by-zero @+1
  return (int)(total / r->count);
}

int main(void) {
  struct ring ring;
  unsigned capacity = __VERIFIER_nondet_uint();
  if (capacity > 2 || ring_init(&ring, capacity) < 0)
    return 1;
  struct message *newest = NULL;
  for (int i = 0; i < COMMANDS; i++) {
    struct message m;
    switch (__VERIFIER_nondet_uchar()) {
    case 'a':
      newest = ring_push(&ring, i, __VERIFIER_nondet_int());
      break;
    case 'p':
#ifdef BUG
      ring_pop(&ring, &m);
      // expect: uninitialized @+1
      if (m.weight > 1000)
        puts("heavy");
#else
      if (ring_pop(&ring, &m) == 0 && m.weight > 1000)
        puts("heavy");
      newest = NULL;
#endif
      break;
    case 'g':
      if (ring_grow(&ring) < 0)
        puts("full");
#ifndef BUG
      newest = NULL;
#endif
      break;
    case 'b':
      if (newest)
        // expect: use-after-free @+1
        newest->id++;
      break;
    case 'f': {
      struct message *found = ring_find(&ring, i - 1);
      if (found)
        found->weight = 0;
      break;
    }
    case 'l':
      // expect: uninitialized @+1
      printf("load %d\n", ring_load(&ring));
      break;
    default:
      i = COMMANDS;
    }
  }
  // expect: assert @+1
  assert(ring.count <= ring.capacity);
  ring_destroy(&ring);
  return 0;
}
