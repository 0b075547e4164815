/* ---- Memory that the function is given, and callbacks: the same for every program. ---- */

static void *clew_given_objects[CLEW_OBJECTS + 1];
static int clew_calls; /* of callbacks, so far */

static void clew_no_room(const char *what) {
  clew_say("no-memory", what);
  _exit(96);
}

/* A pointer of the test as an address. */
static void *clew_pointee(const struct clew_entry *entry) {
  switch (entry->pointee) {
    case 1: return (char *)clew_given_objects[entry->which] + entry->shift;
    case 2: return (char *)clew_address((int)entry->which) + entry->shift;
    case 3: return clew_callback((int)entry->which);
    case 4: return (void *)(size_t)entry->shift;
  }
  return 0;
}

/* What belongs to one call of a callback, or (call 0) is there before the function runs. */
static void clew_change(int call, void **arguments, int count) {
  const struct clew_entry *entry;
  for (entry = clew_heaps[clew_number - 1]; entry->what; entry++) {
    if (entry->what != 1 || entry->call != call) continue;
    if (!entry->route) {
      clew_given_objects[entry->object] = calloc(1, entry->size ? entry->size : 1);
      if (!clew_given_objects[entry->object]) clew_no_room("an object of the test");
    } else {
      const long *step = entry->route;
      char *at = entry->start < 0 ? clew_address(-1 - entry->start) : entry->start < count ? arguments[entry->start] : 0;
      for (; step < entry->route + entry->steps - 1; step++) memcpy(&at, at + *step, sizeof at);
      clew_given_objects[entry->object] = at + *step;
    }
  }
  for (entry = clew_heaps[clew_number - 1]; entry->what; entry++) {
    if (entry->what != 2 || entry->call != call) continue;
    char *at = (char *)clew_given_objects[entry->object] + entry->offset;
    if (entry->pointee >= 0) {
      void *pointer = clew_pointee(entry);
      memcpy(at, &pointer, sizeof pointer);
    } else {
      memcpy(at, entry->bytes, entry->size);
    }
  }
}

static void *clew_parameter(int position) {
  const struct clew_entry *entry;
  for (entry = clew_heaps[clew_number - 1]; entry->what; entry++)
    if (entry->what == 3 && position-- == 0) return clew_pointee(entry);
  clew_say("out-of-inputs", "the function has more parameters than the test");
  _exit(97);
}

/* An input that may be a pointer after all: part of a struct that is passed in registers. */
static unsigned long long clew_word(unsigned position) {
  const struct clew_input *input = clew_input(position);
  struct clew_entry entry;
  if (!input->pointee) return clew_integer(input);
  memset(&entry, 0, sizeof entry);
  entry.pointee = input->pointee;
  entry.which = input->which;
  entry.shift = input->shift;
  return (unsigned long long)(size_t)clew_pointee(&entry);
}

/* A callback was called: it changes what the test says it changes, and gives back what the test says. */
static void clew_called(void **arguments, int count, void *result, size_t size) {
  const struct clew_entry *entry, *first = clew_heaps[clew_number - 1];
  int call = ++clew_calls, known = 0;
  for (entry = first; entry->what; entry++) known |= entry->what == 4 && entry->call == call;
  if (!known) {
    clew_say("out-of-inputs", "the program calls callbacks more often than the test says");
    _exit(97);
  }
  clew_change(call, arguments, count);
  for (entry = first; entry->what; entry++) {
    if (entry->what != 5 || entry->call != call || !result) continue;
    if (entry->pointee >= 0) {
      void *pointer = clew_pointee(entry);
      memcpy(result, &pointer, size < sizeof pointer ? size : sizeof pointer);
    } else {
      memcpy(result, entry->bytes, size < entry->size ? size : entry->size);
    }
    break;
  }
}
