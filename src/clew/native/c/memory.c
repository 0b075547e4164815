/* The arena: objects, the shadow that says where they are, the stack, the heap; and the state between two runs. */

#include <sys/mman.h>
#include <sys/syscall.h>

#include "native.h"

long syscall(long, ...);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);

#define shadow_of(address) ((u8 *)(SHADOW + (((address)-ARENA) >> 3)))
#define REDZONE 32ull
#define HEADER 16ull
#define LIVE 0x636c65775f6c6976ull
#define LARGEST_PAGE 0x10000ull
#define DISCARDED (4 * LARGEST_PAGE) /* bytes from which on pages are forgotten, not cleared */

static u64 heap_top;
static u8 *pristine;
static u64 pristine_size;
int clew_may_discard;

static void mark(u64 address, u64 size, int how) { memset(shadow_of(address), how, size >> 3); }

/* From here on these bytes, which begin at a multiple of 8, are an object. */
static void open_object(u64 address, u64 size) {
  mark(address, size, 8);
  if (size & 7)
    *shadow_of(address + size) = size & 7;
}

static int is_open(u64 address) {
  u64 offset = address - ARENA;
  if (offset >= ARENA_SIZE)
    return 0;
  u8 found = *(u8 *)(SHADOW + (offset >> 3));
  return found <= 8 && (address & 7) < found;
}

/* All the bytes belong to live objects, or the run ends. Between two objects there are at least 8 bytes of none. */
void clew_check(u64 address, u64 size) {
  u64 at = address, end = address + size;
  if (!size)
    return;
  if (address - ARENA < ARENA_SIZE && size <= ARENA_SIZE) {
    while (at < end && is_open(at))
      at = (at | 7) + 1;
    if (at >= end && is_open(end - 1))
      return;
  }
  clew_end(END_BUG, BUG_ACCESS, (u64)__builtin_return_address(0));
}

/* An access that the program's code found wrong: out of its object, or across two granules, which it does not look at. */
_Noreturn void clew_wrong(u64 address, u64 size) {
  u64 place = (u64)__builtin_return_address(0);
  if (is_open(address) && is_open(address + size - 1))
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  clew_end(END_BUG, BUG_ACCESS, place);
}

/* An access that is computed from the address of a variable, and misses it. */
_Noreturn void clew_outside(void) { clew_end(END_BUG, BUG_ACCESS, (u64)__builtin_return_address(0)); }

_Noreturn void clew_no_room(void) { clew_end(END_MEMORY, 0, 0); }

/* The length of a string of at most so many characters; all that is looked at belongs to live objects. */
u64 clew_string_within(u64 address, u64 most) {
  u64 at = address;
  for (; at - address < most; at++) {
    if (!is_open(at))
      clew_end(END_BUG, BUG_ACCESS, (u64)__builtin_return_address(0));
    if (!*AT(at))
      break;
  }
  return at - address;
}

u64 clew_string(u64 address) { return clew_string_within(address, ~0ull); }

/* The stack: a frame holds all variables of a call whose addresses are taken. Above the top there are no objects. */

u64 clew_enter(const struct native_frame *frame) {
  u64 base = shared->stack, top = base + frame->size;
  if (top > HEAP - REDZONE)
    clew_end(END_MEMORY, 0, base);
  shared->stack = top;
  if (top > shared->stack_high)
    shared->stack_high = top;
  for (u32 at = 0; at < frame->count; at++)
    open_object(base + frame->objects[at].offset, frame->objects[at].size);
  return base;
}

void clew_leave(u64 base) {
  mark(base, shared->stack - base, 0);
  shared->stack = base;
}

/* An object on the stack whose size is known only now. */
u64 clew_push(u64 size, u64 align) {
  u64 unit = align < 64 ? 64 : align, base = (shared->stack + REDZONE + unit - 1) & ~(unit - 1);
  if (size > HEAP - STACK || base + size + 4 * REDZONE > HEAP)
    clew_end(END_MEMORY, 0, base);
  shared->stack = (base + size + REDZONE + 63) & ~63ull;
  if (shared->stack > shared->stack_high)
    shared->stack_high = shared->stack;
  open_object(base, size);
  return base;
}

void clew_restore(u64 base) {
  if (base < STACK || base > shared->stack || base & 63)
    clew_end(END_UNSUPPORTED, 0, base);
  clew_leave(base);
}

/* The heap: nothing is given out twice in a run, so that a pointer to what was freed is one for ever. In front of each
   block is its size, where the program cannot write. */

u64 clew_allocate(u64 size, u64 align) {
  u64 unit = align < 16 ? 16 : align;
  u64 base = (heap_top + HEADER + unit - 1) & ~(unit - 1);
  if (size > ARENA_SIZE || align > ARENA_SIZE || base + size + 2 * REDZONE > ARENA + ARENA_SIZE ||
      base + size - HEAP > shared->most_heap)
    clew_end(END_MEMORY, 0, size);
  heap_top = (base + size + REDZONE + 15) & ~15ull;
  ((u64 *)base)[-2] = size;
  ((u64 *)base)[-1] = LIVE;
  open_object(base, size);
  return base;
}

/* The size of the live block that begins here, or the run ends. */
u64 clew_block_size(u64 address) {
  if (address < HEAP + HEADER || address >= heap_top || address & 15 || *shadow_of(address - 8) ||
      ((u64 *)address)[-1] != LIVE || ((u64 *)address)[-2] > heap_top - address)
    clew_end(END_BUG, BUG_FREE, (u64)__builtin_return_address(0));
  return ((u64 *)address)[-2];
}

void clew_free(u64 address) {
  u64 size = clew_block_size(address);
  ((u64 *)address)[-1] = 0;
  mark(address, size + 7, 0);
}

/* Between runs */

void clew_prepare_memory(void) {
  for (u64 at = 0; at < clew_object_count; at++)
    open_object(clew_objects[2 * at], clew_objects[2 * at + 1]);
  const u8 *data = clew_chunk_data;
  for (u64 at = 0; at < clew_chunk_count; at++) {
    memcpy(AT(clew_chunks[2 * at]), data, clew_chunks[2 * at + 1]);
    data += clew_chunks[2 * at + 1];
  }
  shared->stack = shared->stack_high = STACK;
  heap_top = HEAP;
}

/* What the variables of the program are before it starts is kept at ``copy``; null if their pages are those of a file
   that has it, so that a page which is forgotten is as it was. */
void clew_keep_pristine(void *copy) {
  pristine = copy;
  pristine_size = clew_writable_end - ARENA;
  if (pristine)
    memcpy(pristine, AT(ARENA), pristine_size);
}

/* Clear memory of which so much was used, from a multiple of any page's size on. Of much of it the kernel forgets the
   pages: those that were not touched cost nothing. */
static void clear(u64 address, u64 size) {
  u64 whole = clew_may_discard && size > DISCARDED ? size & ~(LARGEST_PAGE - 1) : 0;
  if (whole)
    syscall(SYS_madvise, address, whole, MADV_DONTNEED);
  memset(AT(address + whole), 0, size - whole);
}

void clew_reset_memory(void) {
  if (pristine)
    memcpy(AT(ARENA), pristine, pristine_size);
  else
    syscall(SYS_madvise, ARENA, (pristine_size + LARGEST_PAGE - 1) & ~(LARGEST_PAGE - 1), MADV_DONTNEED);
  clear(STACK, shared->stack_high - STACK);
  mark(STACK, shared->stack - STACK, 0);
  shared->stack = shared->stack_high = STACK;
  clear(HEAP, heap_top - HEAP);
  clear((u64)shadow_of(HEAP), (heap_top - HEAP) >> 3);
  heap_top = HEAP;
}
