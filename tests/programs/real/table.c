// A hash table with chains of linked nodes: insert, replace, look up, remove, resize, iterate.
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

#define STEPS 4
#define KEY_SIZE 5

struct node {
  struct node *next;
  char *key;
  int value;
};

struct table {
  struct node **buckets;
  unsigned size, count;
};

static void *need(void *p) {
  if (!p)
    abort();
  return p;
}

static uint32_t hash(const char *key) {
  uint32_t h = 2166136261u;
  while (*key) {
    h ^= (unsigned char)*key++;
    h *= 16777619u;
  }
  return h;
}

static char *duplicate(const char *text) {
#ifdef BUG
  char *copy = need(malloc(KEY_SIZE));
#else
  char *copy = need(malloc(strlen(text) + 1));
#endif
  // expect: out-of-bounds @+1
  return strcpy(copy, text);
}

static void table_init(struct table *t, unsigned size) {
  t->buckets = need(calloc(size, sizeof *t->buckets));
  t->size = size;
  t->count = 0;
}

static struct node **find(struct table *t, const char *key) {
  struct node **link = &t->buckets[hash(key) % t->size];
  while (*link && strcmp((*link)->key, key) != 0)
    link = &(*link)->next;
  return link;
}

static void resize(struct table *t) {
  unsigned size = 2 * t->size;
  struct node **buckets = need(calloc(size, sizeof *buckets));
#ifdef BUG
  for (unsigned i = 0; i <= t->size; i++) {
    // expect: out-of-bounds @+1
    for (struct node *n = t->buckets[i], *next; n; n = next) {
#else
  for (unsigned i = 0; i < t->size; i++) {
    for (struct node *n = t->buckets[i], *next; n; n = next) {
#endif
      struct node **head = &buckets[hash(n->key) % size];
      next = n->next;
      n->next = *head;
      *head = n;
    }
  }
  free(t->buckets);
  t->buckets = buckets;
  t->size = size;
}

static void put(struct table *t, const char *key, int value) {
  struct node **link = find(t, key);
  if (*link) {
    (*link)->value = value;
    return;
  }
  struct node *n = need(malloc(sizeof *n));
  n->key = duplicate(key);
  n->value = value;
  n->next = NULL;
  *link = n;
  if (++t->count > t->size)
    resize(t);
}

static int get(struct table *t, const char *key) {
  struct node *n = *find(t, key);
#ifdef BUG
  // expect: null-dereference @+1
  return n->value;
#else
  return n ? n->value : 0;
#endif
}

static void drop(struct table *t, const char *key) {
  struct node **link = find(t, key), *n = *link;
  if (!n)
    return;
  *link = n->next;
  t->count--;
  free(n->key);
#ifdef BUG
  if (n->value < 0)
    free(n);
  // expect: double-free @+1
  free(n);
#else
  free(n);
#endif
}

static int sum(const struct table *t) {
  int total = 0;
  for (unsigned i = 0; i < t->size; i++)
    for (const struct node *n = t->buckets[i]; n; n = n->next) {
#ifdef BUG
      // expect: signed-overflow @+1
      total += n->value;
#else
      if (__builtin_add_overflow(total, n->value, &total))
        return -1;
#endif
    }
  return total;
}

static void destroy(struct table *t) {
  for (unsigned i = 0; i < t->size; i++) {
#ifdef BUG
    // expect: use-after-free @+1
    for (struct node *n = t->buckets[i]; n; n = n->next) {
#else
    for (struct node *n = t->buckets[i], *next; n; n = next) {
      next = n->next;
#endif
      free(n->key);
      free(n);
    }
  }
  free(t->buckets);
}

int main(void) {
  static const char *const keys[] = {"", "red", "green", "blue"};
  struct table table;
  table_init(&table, 2);
  for (int i = 0; i < STEPS; i++) {
    char command = __VERIFIER_nondet_char();
    const char *key = keys[__VERIFIER_nondet_uchar() % 4];
    if (command == 'p')
      put(&table, key, __VERIFIER_nondet_int());
    else if (command == 'g')
      printf("%d\n", get(&table, key));
    else if (command == 'd')
      drop(&table, key);
    else
      break;
  }
  printf("%u keys, sum %d\n", table.count, sum(&table));
  destroy(&table);
  return 0;
}
