/* ---- What follows is the same for every program. ---- */

static int clew_number;                    /* the test that runs, from 1; 0 before one is chosen */
static const struct clew_test *clew_now;   /* the same */
static unsigned clew_at;                   /* the next input */
static int clew_events = -1;               /* where a supervisor listens */

static void clew_say(const char *what, const char *detail) {
  char line[512];
  int size = snprintf(line, sizeof line, "%s%s %.400s\n", clew_events < 0 ? "clew: " : "", what, detail);
  ssize_t done = write(clew_events < 0 ? 2 : clew_events, line, (size_t)size);
  (void)done;
}

static const struct clew_input *clew_input(unsigned position) {
  if (!clew_now || position >= clew_now->count) {
    clew_say("out-of-inputs", "the program asks for more inputs than the test has");
    _exit(97);
  }
  return &clew_now->inputs[position];
}

/* An input as a number; sign-extended where its C type is signed. */
static unsigned long long clew_integer(const struct clew_input *input) {
  unsigned long long value = 0;
  unsigned size = input->size < sizeof value ? input->size : (unsigned)sizeof value;
  memcpy(&value, input->bytes, size);
  if (input->is_signed && size && size < sizeof value && input->bytes[size - 1] & 0x80)
    value |= ~0ULL << (8 * size);
  return value;
}

static void clew_copy(void *to, const struct clew_input *input, size_t size) {
  size_t kept = input->size < size ? input->size : size;
  memcpy(to, input->bytes, kept);
  memset((char *)to + kept, 0, size - kept);
}

/* The next input that the program itself asks for. */
static const struct clew_input *clew_take(void) {
  while (clew_now && clew_at < clew_now->count && clew_now->inputs[clew_at].made_up) clew_at++;
  return clew_input(clew_at++);
}

static unsigned long long clew_next(void) { return clew_integer(clew_take()); }

#define CLEW_WEAK(name) __asm__(CLEW_PREFIX #name) __attribute__((weak, used))
#ifdef __APPLE__
#define CLEW_PREFIX "_"
#else
#define CLEW_PREFIX ""
#endif

/* Sources of inputs. A wide result serves every narrower type: the caller takes the low part. */
#define CLEW_NONDET(name)                                                       \
  unsigned long long clew_nondet_##name(void) CLEW_WEAK(__VERIFIER_nondet_##name); \
  unsigned long long clew_nondet_##name(void) { return clew_next(); }
CLEW_NONDET(bool) CLEW_NONDET(char) CLEW_NONDET(schar) CLEW_NONDET(uchar) CLEW_NONDET(unsigned_char)
CLEW_NONDET(short) CLEW_NONDET(ushort) CLEW_NONDET(int) CLEW_NONDET(uint) CLEW_NONDET(unsigned)
CLEW_NONDET(long) CLEW_NONDET(ulong) CLEW_NONDET(longlong) CLEW_NONDET(ulonglong) CLEW_NONDET(pointer)
CLEW_NONDET(size_t) CLEW_NONDET(u8) CLEW_NONDET(u16) CLEW_NONDET(u32) CLEW_NONDET(U32) CLEW_NONDET(s8)
CLEW_NONDET(s16) CLEW_NONDET(s32) CLEW_NONDET(loff_t) CLEW_NONDET(pchar) CLEW_NONDET(charp)
CLEW_NONDET(sector_t) CLEW_NONDET(const_char_pointer) CLEW_NONDET(pthread_t) CLEW_NONDET(time_t)

float clew_nondet_float(void) CLEW_WEAK(__VERIFIER_nondet_float);
float clew_nondet_float(void) { float x; clew_copy(&x, clew_take(), sizeof x); return x; }
double clew_nondet_double(void) CLEW_WEAK(__VERIFIER_nondet_double);
double clew_nondet_double(void) { double x; clew_copy(&x, clew_take(), sizeof x); return x; }
#ifdef __SIZEOF_INT128__
unsigned __int128 clew_nondet_int128(void) CLEW_WEAK(__VERIFIER_nondet_int128);
unsigned __int128 clew_nondet_int128(void) {
  unsigned __int128 x;
  clew_copy(&x, clew_take(), sizeof x);
  return x;
}
unsigned __int128 clew_nondet_uint128(void) CLEW_WEAK(__VERIFIER_nondet_uint128);
unsigned __int128 clew_nondet_uint128(void) { return clew_nondet_int128(); }
#endif

void clew_make_symbolic(void *address, size_t size, const char *name) CLEW_WEAK(klee_make_symbolic);
void clew_make_symbolic(void *address, size_t size, const char *name) {
  (void)name;
  if (size) clew_copy(address, clew_take(), size);
}
int clew_klee_int(const char *name) CLEW_WEAK(klee_int);
int clew_klee_int(const char *name) { (void)name; return (int)clew_next(); }
int clew_klee_range(int begin, int end, const char *name) CLEW_WEAK(klee_range);
int clew_klee_range(int begin, int end, const char *name) { (void)begin; (void)end; (void)name; return (int)clew_next(); }
size_t clew_klee_choose(size_t count) CLEW_WEAK(klee_choose);
size_t clew_klee_choose(size_t count) { (void)count; return (size_t)clew_next(); }

/* Libraries whose results are inputs. Before a test is chosen (the C library's own start) they give 0. */
#define CLEW_RANDOM(name, type)                                  \
  type clew_##name(void) CLEW_WEAK(name);                        \
  type clew_##name(void) { return clew_now ? (type)clew_next() : 0; }
CLEW_RANDOM(rand, int) CLEW_RANDOM(random, long) CLEW_RANDOM(lrand48, long) CLEW_RANDOM(arc4random, unsigned)
CLEW_RANDOM(clock, long)
long clew_mrand48(void) CLEW_WEAK(mrand48);
long clew_mrand48(void) { return clew_now ? (int)clew_next() : 0; }
int clew_rand_r(unsigned *seed) CLEW_WEAK(rand_r);
int clew_rand_r(unsigned *seed) { return (int)(*seed = clew_now ? (unsigned)clew_next() : 0); }
double clew_drand48(void) CLEW_WEAK(drand48);
double clew_drand48(void) { return clew_now ? (double)clew_next() / 281474976710656.0 : 0; }
unsigned clew_uniform(unsigned bound) CLEW_WEAK(arc4random_uniform);
unsigned clew_uniform(unsigned bound) {
  unsigned value = clew_now ? (unsigned)clew_next() : 0;
  return bound < 2 ? 0 : value;
}
long clew_time(long *address) CLEW_WEAK(time);
long clew_time(long *address) {
  long value = clew_now ? (long)clew_next() : 0;
  if (address) *address = value;
  return value;
}
static int clew_clock_parts(long *address) {
  if (clew_now && address) {
    address[0] = (long)clew_next();
    address[1] = (long)clew_next();
  }
  return 0;
}
int clew_gettimeofday(long *address, void *zone) CLEW_WEAK(gettimeofday);
int clew_gettimeofday(long *address, void *zone) { (void)zone; return clew_clock_parts(address); }
int clew_clock_gettime(int number, long *address) CLEW_WEAK(clock_gettime);
int clew_clock_gettime(int number, long *address) { (void)number; return clew_clock_parts(address); }
int clew_clock_getres(int number, long *address) CLEW_WEAK(clock_getres);
int clew_clock_getres(int number, long *address) { (void)number; return clew_clock_parts(address); }
int clew_timespec_get(long *address, int base) CLEW_WEAK(timespec_get);
int clew_timespec_get(long *address, int base) { clew_clock_parts(address); return base; }
ssize_t clew_getrandom(void *buffer, size_t size, unsigned flags) CLEW_WEAK(getrandom);
ssize_t clew_getrandom(void *buffer, size_t size, unsigned flags) {
  (void)flags;
  if (clew_now && size) clew_copy(buffer, clew_take(), size);
  return (ssize_t)size;
}
int clew_getentropy(void *buffer, size_t size) CLEW_WEAK(getentropy);
int clew_getentropy(void *buffer, size_t size) { return clew_getrandom(buffer, size, 0), 0; }

/* Which descriptors are ready: first whether a signal comes, then what is said of each that is asked about. */
struct clew_polled { int number; short events, revents; };
int clew_poll(struct clew_polled *asked, unsigned long count, int timeout) CLEW_WEAK(poll);
int clew_poll(struct clew_polled *asked, unsigned long count, int timeout) {
  unsigned long place;
  int ready = 0;
  (void)timeout;
  if (!clew_now) return 0;
  if (clew_next()) { errno = EINTR; return -1; }
  for (place = 0; place < count; place++) {
    short said = (short)clew_next() & (asked[place].events | 0x38);
    asked[place].revents = asked[place].number < 0 ? 0 : said;
    ready += asked[place].revents != 0;
  }
  return ready;
}
int clew_select(int count, unsigned char *r, unsigned char *w, unsigned char *e, void *timeout) CLEW_WEAK(select);
int clew_select(int count, unsigned char *r, unsigned char *w, unsigned char *e, void *timeout) {
  unsigned char *sets[3];
  int set, place, bit, ready = 0;
  (void)timeout;
  sets[0] = r, sets[1] = w, sets[2] = e;
  if (!clew_now) return 0;
  if (clew_next()) { errno = EINTR; return -1; }
  for (set = 0; set < 3; set++)
    for (place = 0; sets[set] && place < (count + 7) / 8; place++) {
      int left = count - 8 * place, mask = left < 8 ? (1 << left) - 1 : 255;
      if (!sets[set][place]) continue;
      sets[set][place] &= (unsigned char)clew_next() & mask;
      for (bit = 0; bit < 8; bit++) ready += sets[set][place] >> bit & 1;
    }
  return ready;
}
int clew_system(const char *text) CLEW_WEAK(system);
int clew_system(const char *text) { (void)text; return clew_now ? (int)clew_next() : 0; }

/* What nobody defines: the test has values for it, under the names of functions and variables. Where the function
 * that is called is a real one, its values are left over; they are passed by. */
static const struct clew_input *clew_made_up(const char *name, const char *suffix) {
  unsigned at = clew_at;
  size_t length = strlen(name);
  for (; clew_now && at < clew_now->count && clew_now->inputs[at].made_up; at++) {
    const struct clew_input *input = &clew_now->inputs[at];
    if (!strncmp(input->name, name, length) && !strcmp(input->name + length, suffix)) return clew_at = at + 1, input;
  }
  return 0;
}
unsigned long long clew_stub(const char *name) {
  const struct clew_input *input = clew_made_up(name, "");
  return input ? clew_integer(input) : 0;
}
void clew_stub_bytes(const char *name, void *result, size_t size) {
  const struct clew_input *input = clew_made_up(name, "");
  if (input) clew_copy(result, input, size);
  else memset(result, 0, size);
}
double clew_stub_double(const char *name) { double x; clew_stub_bytes(name, &x, sizeof x); return x; }
float clew_stub_float(const char *name) { float x; clew_stub_bytes(name, &x, sizeof x); return x; }
/* What a function sets that it is given the address of: "*1+4 of f()", four bytes behind its second argument. */
void clew_stub_sets(const char *name, char **shown, unsigned count) {
  unsigned at = clew_at;
  for (; clew_now && at < clew_now->count && clew_now->inputs[at].made_up; at++) {
    const struct clew_input *input = &clew_now->inputs[at];
    unsigned number = count;
    int offset = 0, end = 0;
    if (!strcmp(input->name, name)) return;
    if (sscanf(input->name, "*%u%d of %n", &number, &offset, &end) < 2 || !end || strcmp(input->name + end, name)) continue;
    if (number < count) memcpy(shown[number] + offset, input->bytes, input->size);
    clew_at = at + 1;
  }
}
#ifdef CLEW_MALLOC_MAY_FAIL
void *__real_calloc(size_t, size_t);
#define CLEW_CALLOC __real_calloc
#else
#define CLEW_CALLOC calloc
#endif
static void *clew_objects[1024]; /* so that nobody takes them for lost */
static unsigned clew_object_count;
static void *clew_pointer(const struct clew_input *is_null, const struct clew_input *bytes) {
  char *object;
  if (!is_null || clew_integer(is_null) & 1) return 0;
  object = CLEW_CALLOC(1, 1 << 16);
  if (object && bytes) memcpy(object, bytes->bytes, bytes->size);
  clew_objects[clew_object_count++ % 1024] = object;
  return object;
}
void *clew_stub_pointer(const char *name) {
  const struct clew_input *is_null = clew_made_up(name, " is null");
  const struct clew_input *bytes = is_null && clew_at < clew_now->count ? &clew_now->inputs[clew_at++] : 0;
  return clew_pointer(is_null, bytes);
}
/* A variable, or a pointer in one, before the program starts. */
void clew_fill(const char *name, unsigned char *place, size_t room, int pointer) {
  unsigned at;
  size_t length = strlen(name);
  for (at = 0; clew_now && at < clew_now->count; at++) {
    const struct clew_input *input = &clew_now->inputs[at];
    if (!input->made_up || strncmp(input->name, name, length)) continue;
    if (pointer && !strcmp(input->name + length, " is null")) {
      void *object = clew_pointer(input, at + 1 < clew_now->count ? input + 1 : 0);
      memcpy(place, &object, sizeof object);
      return;
    }
    if (!pointer && !input->name[length]) {
      memcpy(place, input->bytes, input->size < room ? input->size : room);
      return;
    }
  }
}

/* Assumptions and errors. */
static void clew_assumption(int holds) {
  if (holds) return;
  clew_say("assumption", "an assumption of the program does not hold");
  _exit(98);
}
void clew_verifier_assume(int condition) CLEW_WEAK(__VERIFIER_assume);
void clew_verifier_assume(int condition) { clew_assumption(condition != 0); }
void clew_own_assume(int condition) CLEW_WEAK(clew_assume);
void clew_own_assume(int condition) { clew_assumption(condition != 0); }
void clew_klee_assume(size_t condition) CLEW_WEAK(klee_assume);
void clew_klee_assume(size_t condition) { clew_assumption(condition != 0); }

static void clew_error(const char *what, const char *detail) {
  fflush(stdout);
  clew_say(what, detail);
  abort();
}
#ifdef CLEW_STRONG_ERRORS /* a supervisor made the program's own definitions weak */
#define CLEW_ERROR(name) __asm__(CLEW_PREFIX #name) __attribute__((used))
#else
#define CLEW_ERROR(name) CLEW_WEAK(name)
#endif
void clew_reach_error(void) CLEW_ERROR(reach_error);
void clew_reach_error(void) { clew_error("error-call", "reach_error"); }
void clew_verifier_error(void) CLEW_ERROR(__VERIFIER_error);
void clew_verifier_error(void) { clew_error("error-call", "__VERIFIER_error"); }
void clew_klee_abort(void) CLEW_WEAK(klee_abort);
void clew_klee_abort(void) { clew_error("abort", "klee_abort"); }
void clew_klee_report(const char *file, int line, const char *message, const char *suffix) CLEW_WEAK(klee_report_error);
void clew_klee_report(const char *file, int line, const char *message, const char *suffix) {
  (void)file; (void)line; (void)suffix;
  clew_error("error", message);
}
void clew_assert_fail(const char *expression, const char *file, unsigned line, const char *function)
    CLEW_WEAK(__assert_fail);
void clew_assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
  fprintf(stderr, "%s:%u: %s: assertion failed: %s\n", file, line, function ? function : "?", expression);
  clew_error("assert", expression);
}
void clew_silent_exit(int status) CLEW_WEAK(klee_silent_exit);
void clew_silent_exit(int status) { exit(status); }

/* KLEE's questions and hints. */
#define CLEW_NOTHING(name)               \
  int clew_##name(void) CLEW_WEAK(name); \
  int clew_##name(void) { return 0; }
CLEW_NOTHING(klee_is_symbolic) CLEW_NOTHING(klee_is_replay) CLEW_NOTHING(klee_get_errno)
CLEW_NOTHING(klee_prefer_cex) CLEW_NOTHING(klee_posix_prefer_cex) CLEW_NOTHING(klee_mark_global)
CLEW_NOTHING(klee_warning) CLEW_NOTHING(klee_warning_once) CLEW_NOTHING(klee_print_expr)
CLEW_NOTHING(klee_print_range) CLEW_NOTHING(klee_stack_trace) CLEW_NOTHING(klee_set_forking)
CLEW_NOTHING(klee_open_merge) CLEW_NOTHING(klee_close_merge) CLEW_NOTHING(klee_check_memory_access)
CLEW_NOTHING(klee_define_fixed_object) CLEW_NOTHING(__VERIFIER_atomic_begin) CLEW_NOTHING(__VERIFIER_atomic_end)
#define CLEW_SAME(name, type)                   \
  type clew_##name(type value) CLEW_WEAK(name); \
  type clew_##name(type value) { return value; }
CLEW_SAME(klee_get_valuef, float) CLEW_SAME(klee_get_valued, double) CLEW_SAME(klee_get_valuel, long)
CLEW_SAME(klee_get_valuell, long long) CLEW_SAME(klee_get_value_i32, int) CLEW_SAME(klee_get_value_i64, long long)

#ifdef CLEW_WATCH_FILES
/* A supervisor forbids writing outside the test's own folder; this tells it who tried. */
static void clew_refused(const char *path) {
  int absent = errno == ENOENT && path[0] == '/'; /* for a test, most folders are not there */
  if (errno == EACCES || errno == EPERM || errno == EROFS || absent) clew_say("refused", path);
}
FILE *__real_fopen(const char *, const char *);
FILE *__wrap_fopen(const char *path, const char *mode) {
  FILE *file = __real_fopen(path, mode);
  if (!file && strpbrk(mode, "wa+")) clew_refused(path);
  return file;
}
int __real_open(const char *, int, ...);
int __wrap_open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int);
  va_end(rest);
  int file = __real_open(path, flags, mode);
  if (file < 0 && flags & (O_WRONLY | O_RDWR | O_CREAT)) clew_refused(path);
  return file;
}
#define CLEW_WRAP(name, parameters, arguments)                  \
  int __real_##name parameters;                                 \
  int __wrap_##name parameters {                                \
    int result = __real_##name arguments;                       \
    if (result < 0) clew_refused(path);                         \
    return result;                                              \
  }
CLEW_WRAP(creat, (const char *path, mode_t mode), (path, mode))
CLEW_WRAP(unlink, (const char *path), (path))
CLEW_WRAP(remove, (const char *path), (path))
CLEW_WRAP(mkdir, (const char *path, mode_t mode), (path, mode))
CLEW_WRAP(rmdir, (const char *path), (path))
CLEW_WRAP(rename, (const char *path, const char *to), (path, to))
#endif

#ifdef CLEW_MALLOC_MAY_FAIL /* and the linker is told to wrap these: an input says which calls fail */
static int clew_fails(void) {
  while (clew_now && clew_at < clew_now->count && clew_now->inputs[clew_at].made_up) clew_at++;
  if (!clew_now || clew_at >= clew_now->count) return 0;
  const char *name = clew_now->inputs[clew_at].name, *end = strstr(name, " fails");
  if (!end || end[6] || !(clew_next() & 1)) return 0;
  errno = ENOMEM;
  return 1;
}
#define CLEW_ALLOCATES(name, parameters, arguments) \
  void *__real_##name parameters;                   \
  void *__wrap_##name parameters { return clew_fails() ? (void *)0 : __real_##name arguments; }
CLEW_ALLOCATES(malloc, (size_t size), (size))
CLEW_ALLOCATES(realloc, (void *address, size_t size), (address, size))
CLEW_ALLOCATES(reallocarray, (void *address, size_t count, size_t size), (address, count, size))
CLEW_ALLOCATES(aligned_alloc, (size_t align, size_t size), (align, size))
CLEW_ALLOCATES(memalign, (size_t align, size_t size), (align, size))
CLEW_ALLOCATES(strdup, (const char *text), (text))
CLEW_ALLOCATES(strndup, (const char *text, size_t count), (text, count))
void *__wrap_calloc(size_t count, size_t size) { return clew_fails() ? (void *)0 : __real_calloc(count, size); }
int __real_posix_memalign(void **, size_t, size_t);
int __wrap_posix_memalign(void **place, size_t align, size_t size) {
  int before = errno, wrong = align % sizeof(void *) || align & (align - 1) || !align;
  int fails = wrong ? 0 : clew_fails();
  errno = before;
  return fails ? ENOMEM : __real_posix_memalign(place, align, size);
}
#endif

static void clew_stdin(void) {
  if (!clew_now->input) return;
  FILE *file = 0;
  if (clew_events >= 0) { /* a supervisor permits files in this folder alone */
    file = fopen(".clew-stdin", "w+");
    unlink(".clew-stdin");
  }
  if (!file) file = tmpfile();
  if (!file || fwrite(clew_now->input, 1, clew_now->input_size, file) != clew_now->input_size || fflush(file)) {
    perror("clew: standard input");
    _exit(96);
  }
  lseek(fileno(file), 0, SEEK_SET);
  dup2(fileno(file), 0);
  fclose(file);
}

/* Environment variables (kind 1) and files (kind 2) the test wants. Files appear only in a supervisor's folder. */
static void clew_surround(void) {
  const struct clew_around *item = clew_now->around;
  for (; item && item->kind; item++) {
    if (item->kind == 1) {
      if (item->content) setenv(item->name, item->content, 1);
      else unsetenv(item->name);
    } else if (item->content && clew_events < 0) {
      clew_say(item->kind == 3 ? "needs the folder" : "needs the file", item->name);
    } else if (item->kind == 3) {
      if (mkdir(item->name, 0755)) clew_say("no-file", item->name);
    } else if (item->content) {
      FILE *file = fopen(item->name, "wb");
      if (!file || fwrite(item->content, 1, item->size, file) != item->size) clew_say("no-file", item->name);
      if (file) fclose(file);
    }
  }
}

/* Start this program again with the arguments of a test. */
static void clew_again(int number) {
  static char text[16];
  const struct clew_test *test = &clew_tests[number - 1];
  snprintf(text, sizeof text, "%d", number);
  setenv("CLEW_TEST", text, 1);
  execv("/proc/self/exe", (char **)test->arguments);
  perror("clew: /proc/self/exe");
  _exit(96);
}

static void clew_run_all(void) {
  int number, failed = 0;
  for (number = 1; number <= CLEW_TESTS; number++) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) clew_again(number);
    if (child < 0 || waitpid(child, &status, 0) < 0) _exit(96);
    failed += status != 0;
    if (WIFSIGNALED(status)) printf("test %d: signal %d%s\n", number, WTERMSIG(status), clew_tests[number - 1].note);
    else printf("test %d: exit %d%s\n", number, WEXITSTATUS(status), clew_tests[number - 1].note);
  }
  fflush(stdout);
  _exit(failed != 0);
}

/* Before the program's own code: which test is it? */
__attribute__((constructor(101))) static void clew_choose_test(void) {
  const char *chosen = getenv("CLEW_TEST"), *events = getenv("CLEW_EVENTS");
  char words[4096];
  if (!chosen) {
    int file = open("/proc/self/cmdline", O_RDONLY);
    ssize_t size = file < 0 ? 0 : read(file, words, sizeof words - 1);
    words[size < 0 ? 0 : size] = 0;
    if (file >= 0) close(file);
    chosen = words + strlen(words) + 1;
    if (size <= 0 || chosen >= words + size) clew_run_all();
    if (atoi(chosen) < 1 || atoi(chosen) > CLEW_TESTS) {
      fprintf(stderr, "usage: %s [NUMBER], with a number from 1 to %d; without one, all tests run\n", words, CLEW_TESTS);
      _exit(96);
    }
    clew_again(atoi(chosen));
  }
  if (events) clew_events = atoi(events);
  clew_number = atoi(chosen);
  if (clew_number < 1 || clew_number > CLEW_TESTS) _exit(96);
  clew_now = &clew_tests[clew_number - 1];
  unsetenv("CLEW_TEST");
  unsetenv("CLEW_EVENTS");
  clew_stdin();
  clew_surround();
}
