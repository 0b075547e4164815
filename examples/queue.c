/* A function that takes structs. Try: clew test examples/queue.c --function take_last
 *
 * Every field is an input; a pointer is null, or leads to an object: a queue has any number of entries here. The first
 * line of the function says what its callers promise.
 */
#include <stddef.h>

extern void __VERIFIER_assume(int);

struct entry {
  int priority;
  struct entry *next;
};

struct queue {
  struct entry *first;
  unsigned char length;
};

/* Takes the last entry off a queue that is not empty; its priority. */
int take_last(struct queue *queue) {
  __VERIFIER_assume(queue != NULL && queue->first != NULL);
  struct entry *entry = queue->first, *before = NULL;
  while (entry->next != NULL) {
    before = entry;
    entry = entry->next;
  }
  before->next = NULL; /* wrong: with a single entry there is none before it */
  queue->length--;
  return entry->priority;
}
