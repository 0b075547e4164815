/* Mutation guided by coverage: inputs that take a branch for the first time, or more often than any before, are kept, and
   changed again. Values come from the input itself, from the program's strings and the constants that it compares with.
   Each input that is kept is run once more while all comparisons are noted: where one side of a comparison is found in
   the input, the other side is put in its place (input-to-state, as Redqueen has it); a text that is longer or shorter
   moves what follows it. Inputs that match more of a constant text than any before are kept as well.

   What is done depends on the seed and on counts alone: the same request gives the same inputs. */

#include "native.h"

void *memcpy(void *, const void *, unsigned long);
void *memmove(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
int memcmp(const void *, const void *, unsigned long);

#define MOST_KEPT 8192
#define POOL_SIZE (16u << 20)
#define MOST_PAIRS 256
#define LONGEST_SIDE 32
#define MOST_REPLACED 2000 /* runs for the comparisons of one input */
#define MOST_BUGS 64
#define MOST_TEXTS 1024
#define MOST_MATCHES 16
#define AS_LONG 31 /* the last level */
#define FIXED_WORK 64 /* of a run, in passes through loops */

static u8 pool[POOL_SIZE];
static u32 pool_used;
static struct kept { u32 at, size; } kept[MOST_KEPT];
static u8 seen[COUNTERS_SIZE]; /* per site: the classes of counts that a run has had */
static struct pair { u32 sizes[2]; u8 sides[2][LONGEST_SIDE]; } pairs[MOST_PAIRS];
static u32 pair_count, staged;
static u64 bugs[MOST_BUGS], bug_count;
static u32 matched[MOST_TEXTS]; /* per constant text, or several of them: the levels that a run has come to */
static struct match { u32 text, level; } matches[MOST_MATCHES]; /* of the last run: those that are new */
static u32 match_count;
static u64 state, found_used;

static u64 any(u64 below) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return below ? (state >> 11) % below : 0;
}

/* Two texts are compared, and differ. */
void clew_note_compared(const u8 *one, u64 one_size, const u8 *other, u64 other_size) {
  if (!shared->noting || pair_count >= MOST_PAIRS || !one_size || !other_size)
    return;
  if (one_size > LONGEST_SIDE || other_size > LONGEST_SIDE)
    return;
  for (u32 at = 0; at < pair_count; at++)
    if (pairs[at].sizes[0] == one_size && !memcmp(pairs[at].sides[0], one, one_size) &&
        pairs[at].sizes[1] == other_size && !memcmp(pairs[at].sides[1], other, other_size))
      return;
  struct pair *to = &pairs[pair_count++];
  to->sizes[0] = one_size, to->sizes[1] = other_size;
  memcpy(to->sides[0], one, one_size);
  memcpy(to->sides[1], other, other_size);
}

static void note_level(u32 text, u32 level) {
  if (!(matched[text] >> level & 1) && match_count < MOST_MATCHES)
    matches[match_count++] = (struct match){text, level};
}

/* A text is compared with another one, and differs: level 0 if that is empty, else the bytes that are the same, and 1.
   That they are of one size is a level of its own. */
void clew_note_match(u64 text, u64 level, int is_as_long) {
  if (text < clew_writable_end || text >= clew_function_base)
    return;
  note_level(text % MOST_TEXTS, level < AS_LONG ? level : AS_LONG - 1);
  if (is_as_long)
    note_level(text % MOST_TEXTS, AS_LONG);
}

/* Whether the last run matched more of a constant text than any before. */
static int matches_more(void) {
  int found = 0;
  for (u32 at = 0; at < match_count; at++) {
    u32 *levels = &matched[matches[at].text];
    found |= !(*levels >> matches[at].level & 1);
    *levels |= 1u << matches[at].level;
  }
  return found;
}

/* Two numbers are compared: in as few bytes as hold both, in either order. */
void clew_note_numbers(u64 one, u64 other) {
  u8 sides[2][8], swapped[2][8];
  u32 size = 8;
  if (one == other)
    return;
  while (size > 1 && !((one | other) >> 8 * (size - 1)))
    size--;
  for (u32 at = 0; at < size; at++) {
    sides[0][at] = swapped[0][size - 1 - at] = one >> 8 * at;
    sides[1][at] = swapped[1][size - 1 - at] = other >> 8 * at;
  }
  clew_note_compared(sides[0], size, sides[1], size);
  if (size > 1)
    clew_note_compared(swapped[0], size, swapped[1], size);
}

/* What the last run has shown */

static u8 class_of(u8 count) {
  return count < 4 ? (count == 3 ? 4 : count) : count < 8 ? 8 : count < 16 ? 16 : count < 32 ? 32 : count < 128 ? 64 : 128;
}

/* 2 if the run took a branch for the first time, 1 if it took one so often for the first time. */
static int news(void) {
  int found = 0;
  const u64 *words = (const u64 *)COUNTERS;
  for (u64 word = 0; word < (clew_site_count + 7) / 8; word++) {
    if (!words[word])
      continue;
    for (u64 site = word * 8; site < word * 8 + 8 && site < clew_site_count; site++) {
      u8 class = *AT(COUNTERS + site) ? class_of(*AT(COUNTERS + site)) : 0;
      if (class & ~seen[site]) {
        found = seen[site] && found < 2 ? 1 : 2;
        seen[site] |= class;
      }
    }
  }
  return found;
}

static int is_new_bug(void) {
  u64 key = shared->place * 16 + shared->detail;
  if (shared->end != END_BUG && shared->end != END_FAULT)
    return 0;
  for (u64 at = 0; at < bug_count; at++)
    if (bugs[at] == key)
      return 0;
  if (bug_count < MOST_BUGS)
    bugs[bug_count++] = key;
  return bug_count < MOST_BUGS;
}

static u32 used_size(void) {
  return shared->input_used < shared->input_size ? shared->input_used : shared->input_size;
}

static void tell(u32 size) {
  if (found_used + size + 4 > FOUND_SIZE)
    return;
  memcpy(AT(FOUND + found_used), &size, 4);
  memcpy(AT(FOUND + found_used + 4), AT(INPUT), size);
  found_used += size + 4;
  shared->found_count++;
}

/* Zeros at the end are left out where zeros come after the end anyway: so there is room for what mutation adds. */
static void keep(u32 size) {
  while (!shared->reads_stdin && size && !*AT(INPUT + size - 1))
    size--;
  if (shared->corpus_count >= MOST_KEPT || pool_used + size > POOL_SIZE)
    return;
  kept[shared->corpus_count++] = (struct kept){pool_used, size};
  memcpy(pool + pool_used, AT(INPUT), size);
  pool_used += size;
}

/* Run the input of the request; whether it took a branch for the first time. What an assumption ends does not count, nor
   what does not come to an end. */
static int try(void) {
  match_count = 0;
  shared->matching = 1;
  clew_run_once();
  shared->matching = 0;
  shared->runs_done++;
  shared->work_done += FIXED_WORK + shared->fuel_per_run - shared->fuel;
  if (shared->end == END_ASSUMPTION || shared->end == END_FUEL || shared->end == END_MEMORY)
    return 0;
  int found = news();
  if (matches_more() | found || !shared->corpus_count)
    keep(used_size());
  int is_bug = is_new_bug();
  if (found == 2 || is_bug)
    tell(used_size());
  return found == 2 || is_bug;
}

static void begin(void) {
  shared->runs_done = shared->work_done = shared->found_count = found_used = 0;
}

void clew_add_input(void) {
  begin();
  try();
}

/* Changes */

static void make_room(u32 at, u32 size) {
  u32 most = shared->most_input - shared->input_size;
  if (size > most)
    size = most;
  memmove(AT(INPUT + at + size), AT(INPUT + at), shared->input_size - at);
  shared->input_size += size;
}

static void put_bytes(u32 at, const u8 *data, u32 size, int insert) {
  if (insert)
    make_room(at, size);
  u32 most = shared->most_input - at;
  if (size > most)
    size = most;
  memcpy(AT(INPUT + at), data, size);
  if (at + size > shared->input_size)
    shared->input_size = at + size;
}

static void put_word(int insert) {
  u64 number = any(clew_word_count);
  if (clew_word_count)
    put_bytes(any(shared->input_size + 1), clew_word_data + clew_words[2 * number], clew_words[2 * number + 1], insert);
}

static void put_number(void) {
  static const int numbers[] = {0, 1, -1, 2, 16, 32, 64, 100, 127, 128, 255, 256, 512, 1000, 1024, 4096, 32767, 32768,
                                65535, 65536, 2147483647, -2147483647 - 1};
  u32 size = 1u << any(4), at = any(shared->input_size + 1);
  long long value = numbers[any(sizeof numbers / sizeof *numbers)];
  u8 data[8];
  int swapped = any(2);
  for (u32 place = 0; place < size; place++)
    data[swapped ? size - 1 - place : place] = value >> 8 * place;
  put_bytes(at, data, size, 0);
}

static void splice(void) {
  const struct kept *other = &kept[any(shared->corpus_count)];
  u32 from = any(other->size + 1), at = any(shared->input_size + 1);
  shared->input_size = at;
  put_bytes(at, pool + other->at + from, other->size - from, 0);
}

static void move_bytes(int insert) {
  u8 data[64];
  u32 from = any(shared->input_size), size = 1 + any(shared->input_size - from);
  size = size > sizeof data ? sizeof data : size;
  memcpy(data, AT(INPUT + from), size);
  put_bytes(any(shared->input_size + 1), data, size, insert);
}

static void delete_bytes(void) {
  u32 from = any(shared->input_size), size = 1 + any(any(2) ? 4 : shared->input_size - from);
  if (size > shared->input_size - from)
    size = shared->input_size - from;
  memmove(AT(INPUT + from), AT(INPUT + from + size), shared->input_size - from - size);
  shared->input_size -= size;
}

/* A byte as texts have them more often than not. */
static u8 any_byte(void) {
  static const u8 common[] = "0123456789abcdefxnrtuEe+-.,:;=[]{}()\"'\\/ \t\n#%&*<>_AZ";
  return any(4) ? common[any(sizeof common - 1)] : any(256);
}

static void change(void) {
  u8 byte = any_byte();
  u64 size = shared->input_size, kind = any(13);
  if (!size && kind > 3)
    kind = any(4);
  u8 *at = AT(INPUT + any(size));
  switch (kind) {
  case 0: put_bytes(any(size + 1), &byte, 1, 1); break;
  case 1: put_word(1); break;
  case 2: put_word(0); break;
  case 3: put_number(); break;
  case 4: *at ^= 1u << any(8); break;
  case 5: *at = byte; break;
  case 6: *at = any(256); break;
  case 7: *at += 1 + any(16); break;
  case 8: *at -= 1 + any(16); break;
  case 9: delete_bytes(); break;
  case 10: move_bytes(0); break;
  case 11: move_bytes(1); break;
  case 12: splice(); break;
  }
}

static void take(const struct kept *chosen) {
  shared->input_size = chosen->size < shared->most_input ? chosen->size : shared->most_input;
  memcpy(AT(INPUT), pool + chosen->at, shared->input_size);
}

/* One of those that were kept: the newest ones more often. */
static void choose(void) {
  u64 count = shared->corpus_count, newest = count > 8 ? count / 4 : count;
  take(&kept[any(2) ? any(count) : count - 1 - any(newest)]);
}

/* What begins at one place of the input begins at another one, as far as there is room. */
static void move_rest(u64 from, u64 to) {
  u64 size = shared->input_size > from ? shared->input_size - from : 0;
  if (size > shared->most_input - to)
    size = shared->most_input - to;
  memmove(AT(INPUT + to), AT(INPUT + from), size);
  shared->input_size = to + size;
}

/* Replace one side of each comparison by the other, wherever the input has it; whether that showed anything. */
static int replace(const struct kept *chosen) {
  int found = 0;
  pair_count = 0;
  take(chosen);
  /* What the program reads beyond the end is zero: that may be compared, too. */
  memset(AT(INPUT + shared->input_size), 0, shared->most_input - shared->input_size);
  shared->input_size = shared->most_input;
  shared->noting = 1;
  clew_run_once();
  shared->noting = 0;
  u64 left = MOST_REPLACED;
  for (u32 number = 0; number < 2 * pair_count; number++) {
    const struct pair *pair = &pairs[number / 2];
    const u8 *from = pair->sides[number & 1], *to = pair->sides[!(number & 1)];
    u64 from_size = pair->sizes[number & 1], to_size = pair->sizes[!(number & 1)];
    u64 longer = from_size < to_size ? to_size : from_size;
    for (u64 at = 0; at + longer <= shared->most_input && left; at++) {
      take(chosen);
      memset(AT(INPUT + shared->input_size), 0, shared->most_input - shared->input_size);
      if (memcmp(AT(INPUT + at), from, from_size))
        continue;
      if (from_size != to_size)
        move_rest(at + from_size, at + to_size);
      memcpy(AT(INPUT + at), to, to_size);
      if (shared->input_size < at + to_size)
        shared->input_size = at + to_size;
      left--;
      found |= try();
    }
  }
  return found;
}

/* Until so many runs have taken no branch for the first time, or so much work is done. */
void clew_mutate(void) {
  begin();
  if (!state)
    state = shared->seed * 0x9e3779b97f4a7c15ull + 1;
  if (!shared->corpus_count) {
    shared->input_size = 0;
    try();
    if (!shared->corpus_count)
      keep(0);
  }
  for (u64 stale = 0; stale < shared->stale_runs && shared->work_done < shared->most_work; stale++) {
    if (staged < shared->corpus_count) {
      if (replace(&kept[staged++]))
        stale = 0;
      continue;
    }
    choose();
    for (u64 changes = 1 + any(any(2) ? 2 : 8); changes; changes--)
      change();
    if (try())
      stale = 0;
  }
}
