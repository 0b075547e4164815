/* Files, as clew.models.files has them: one that the program has not written is missing, or holds inputs, and grows as it
   is read. Inputs are asked for in the same order as there. What the program writes is there when it is read again.

   Nothing of this is a file of the machine's. */

#include "files.h"

void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);

#define LONGEST (FILE_SIZE + GROWTHS * LARGEST_GROWTH + 1)
#define ENOENT 2
#define EBADF 9
#define EINVAL 22
#define ENOTTY 25

static u32 failed(u32 why) {
  *(u32 *)clew_errno = why;
  return -1;
}

static void assume(int holds) {
  if (!holds)
    clew_end(END_ASSUMPTION, 0, 0);
}

static _Noreturn void unsupported(void) { clew_end(END_UNSUPPORTED, 0, ~0ull); }

void clew_reset_files(void) {
  if (!world->is_used)
    return;
  memset(world->streams, 0, (3 + world->stream_count) * sizeof(struct stream));
  memset(world->descriptors, 0, (3 + world->descriptor_count) * sizeof(struct descriptor));
  memset(world->files, 0, (1 + world->file_count) * sizeof(struct file));
  world->stream_count = world->descriptor_count = world->file_count = world->is_used = 0;
}

/* The stream that a FILE * stands for. */
struct stream *clew_stream(u64 address) {
  u64 number = (address - clew_streams) / sizeof(struct stream);
  if (address < clew_streams || (address - clew_streams) % sizeof(struct stream) || number >= MOST_STREAMS)
    clew_end(END_BUG, BUG_ACCESS, 0);
  struct stream *found = &world->streams[number];
  if (!found->is_known && number < 3)
    world->is_used = found->is_known = 1, found->descriptor = number;
  if (!found->is_known || found->is_closed)
    clew_end(END_BUG, BUG_ACCESS, 0);
  return found;
}

/* An open file by its number; null if there is none. */
struct descriptor *clew_descriptor(u32 number) {
  if (number >= MOST_STREAMS)
    return 0;
  struct descriptor *found = &world->descriptors[number];
  if (!found->is_known && number < 3)
    world->is_used = found->is_known = 1, found->reads = !number, found->writes = !!number;
  return found->is_known && !found->is_closed ? found : 0;
}

/* Standard output, or standard error */
int clew_is_output(const struct descriptor *opened) { return opened->writes && !opened->file; }

/* Contents */

static u8 *data_of(const struct file *file) { return world->data[file - world->files]; }

static int is_given(const struct file *file) { return shared->reads_stdin && file == world->files; }

static void read_inputs(struct file *file, u64 count) {
  if (file->size + count > LARGEST_FILE)
    unsupported();
  for (u64 at = 0; at < count; at++)
    data_of(file)[file->size + at] = clew_input(1);
  file->size += count;
}

static void read_contents(struct file *file) {
  file->length = clew_input(4);
  assume(file->length <= LONGEST);
  read_inputs(file, FILE_SIZE);
  file->growths = GROWTHS;
}

static struct file *file_of(const struct descriptor *opened) {
  struct file *file = &world->files[opened->file];
  if (file->has_contents || opened->file)
    return file;
  file->has_contents = 1; /* standard input */
  if (is_given(file)) {
    file->length = shared->input_size < shared->stdin_most ? shared->input_size : shared->stdin_most;
    file->size = shared->stdin_most;
  } else
    read_contents(file);
  return file;
}

/* The file ends where it was read up to, or before that. */
static void bound(struct file *file) {
  if (file->growths)
    assume(file->length <= file->size);
  file->growths = 0;
}

/* Have so many bytes from where the file is read, if it may grow, or get no longer. */
void clew_reach(struct descriptor *opened, u64 wanted, int grows) {
  struct file *file = file_of(opened);
  u64 end = opened->position + wanted;
  if (end <= file->size || !file->growths)
    return;
  if (grows && end - file->size <= LARGEST_GROWTH) {
    read_inputs(file, end - file->size);
    if (--file->growths)
      return;
  }
  bound(file);
}

/* A byte so much further on than where the file is read, if it is there. */
u32 clew_file_byte(struct descriptor *opened, u32 further) {
  struct file *file = file_of(opened);
  u64 at = (u64)opened->position + further;
  if (at >= file->size || at >= file->length)
    return NO_CHARACTER;
  if (file->is_written && clew_is_traced)
    unsupported(); /* what was written has no shadows */
  if (!is_given(file))
    return data_of(file)[at];
  if (at >= shared->input_used)
    shared->input_used = at + 1;
  return *AT(INPUT + at);
}

static u32 true_position(const struct descriptor *opened) {
  struct file *file = file_of(opened);
  return opened->overrun && opened->position > file->length ? file->length : opened->position;
}

int clew_may_grow(struct descriptor *opened) { return file_of(opened)->growths != 0; }

/* How many bytes may still come, of a file that does not grow. */
u64 clew_bytes_ahead(const struct stream *from) {
  struct descriptor *opened = clew_readable(from->descriptor);
  struct file *file = file_of(opened);
  return from->pushed_count + (file->size > opened->position ? file->size - opened->position : 0);
}

/* One that can be read; others are left to the interpreter. */
struct descriptor *clew_readable(u32 number) {
  struct descriptor *opened = clew_descriptor(number);
  if (!opened || !opened->reads)
    unsupported();
  return opened;
}

/* What streams have to read. What is pushed back comes first. */

/* The next byte, as far as the file reaches. */
u32 clew_next_byte(struct stream *from) {
  if (from->pushed_count)
    return from->pushed[--from->pushed_count];
  struct descriptor *opened = clew_readable(from->descriptor);
  u32 character = clew_file_byte(opened, 0);
  if (character == NO_CHARACTER)
    from->ended = 1;
  else
    opened->position++;
  opened->overrun = 1;
  return character;
}

/* Have so many bytes of a stream. */
void clew_reach_stream(struct stream *from, u64 wanted, int grows) {
  u64 pushed = from->pushed_count;
  clew_reach(clew_readable(from->descriptor), wanted > pushed ? wanted - pushed : 0, grows);
}

u32 clew_next_character(u64 stream) {
  struct stream *from = clew_stream(stream);
  clew_reach_stream(from, 1, 0);
  u32 character = clew_next_byte(from);
  if (character == NO_CHARACTER)
    clew_readable(from->descriptor)->position++;
  return character;
}

/* What scanf reads of a file that may grow is a number to the interpreter, not its text. */
void clew_begin_scan(u64 stream) {
  struct stream *from = clew_stream(stream);
  if (!from->pushed_count && clew_may_grow(clew_readable(from->descriptor)))
    clew_end(END_UNSUPPORTED, 0, ~0ull);
  clew_reach_stream(from, FAR, 0);
}

/* One of the program's own files. */
void clew_write_byte(struct descriptor *opened, u32 byte) {
  struct file *file = file_of(opened);
  bound(file);
  u32 at = opened->appends ? file->length : true_position(opened);
  if (at >= LARGEST_FILE)
    unsupported();
  while (file->size < at)
    data_of(file)[file->size++] = 0;
  data_of(file)[at] = byte;
  file->size = file->size > at ? file->size : at + 1;
  file->length = file->length > at ? file->length : at + 1;
  file->is_written = 1;
  opened->position = at + 1;
  opened->overrun = 0;
}

/* Names */

static int is_called(const struct file *file, u64 path, u64 size) {
  u64 same = 0;
  while (file->name_size == size && same < size && file->name[same] == *AT(path + same))
    same++;
  return file->name_size == size && same == size;
}

static struct file *named(u64 path) {
  u64 size = clew_string(path);
  for (u32 at = 1; at <= world->file_count; at++)
    if (is_called(&world->files[at], path, size))
      return &world->files[at];
  if (size > LONGEST_NAME || world->file_count + 1 == MOST_FILES)
    unsupported();
  struct file *file = &world->files[++world->file_count];
  world->is_used = 1;
  file->name_size = size;
  memcpy(file->name, AT(path), size);
  return file;
}

static int is_there(struct file *file) {
  if (file->has_contents || file->is_removed)
    return file->has_contents;
  if (!file->is_asked_for) {
    file->is_asked_for = 1;
    file->is_there = clew_input(1);
    assume(file->is_there <= 1);
    read_contents(file);
  }
  if (file->is_there)
    file->has_contents = 1;
  return file->has_contents;
}

static int exists(u64 path) {
  if (clew_string(path) && is_there(named(path)))
    return 1;
  failed(ENOENT);
  return 0;
}

/* A new descriptor, or -1. */
static u32 opened_file(u64 path, int reads, int writes, int creates, int clears, int appends) {
  if (!clew_string(path))
    return failed(ENOENT);
  struct file *file = named(path);
  int untouched = !file->has_contents && !file->is_asked_for;
  if (clears || (creates && (untouched || !is_there(file)))) {
    file->has_contents = 1;
    file->length = file->size = file->growths = file->is_written = 0;
  } else if (!creates && !is_there(file))
    return failed(ENOENT);
  u32 number = 3 + world->descriptor_count;
  if (number >= MOST_STREAMS)
    unsupported();
  world->descriptor_count++;
  struct descriptor *made = &world->descriptors[number];
  made->is_known = 1;
  made->file = file - world->files;
  made->reads = reads, made->writes = writes, made->appends = appends;
  return number;
}

static u64 stream_on(u32 descriptor) {
  u32 number = 3 + world->stream_count;
  if (number >= MOST_STREAMS)
    unsupported();
  world->stream_count++;
  struct stream *made = &world->streams[number];
  made->is_known = 1;
  made->descriptor = descriptor;
  return (u64)made;
}

u64 m_fopen(u64 path, u64 mode) {
  u64 size = clew_string(mode);
  u8 letter = size ? *AT(mode) : 0;
  int both = 0;
  clew_string(path);
  for (u64 at = 0; at < size; at++)
    both |= *AT(mode + at) == '+';
  if (letter != 'r' && letter != 'w' && letter != 'a') {
    failed(EINVAL);
    return 0;
  }
  u32 number = opened_file(path, both || letter == 'r', both || letter != 'r', letter != 'r', letter == 'w', letter == 'a');
  return number == (u32)-1 ? 0 : stream_on(number);
}

u64 m_fdopen(u32 number, u64 mode) {
  if (clew_descriptor(number))
    return stream_on(number);
  failed(EBADF);
  return 0;
}

u32 m_open(u64 path, u32 flags, u64 area) {
  int writes = (flags & 3) != 0, creates = (flags & 0100) != 0;
  return opened_file(path, !(flags & 1), writes, creates, (flags & 01000) && writes && creates, (flags & 02000) != 0);
}

u32 m_close(u32 number) {
  struct descriptor *opened = clew_descriptor(number);
  if (!opened)
    return failed(EBADF);
  opened->is_closed = 1;
  return 0;
}

u32 m_fclose(u64 stream) {
  struct stream *closed = clew_stream(stream);
  struct descriptor *opened = clew_descriptor(closed->descriptor);
  if (opened)
    opened->is_closed = 1;
  closed->is_closed = 1;
  return 0;
}

u32 m_fileno(u64 stream) {
  return clew_stream(stream)->descriptor;
}

u32 m_isatty(u32 number) {
  failed(clew_descriptor(number) ? ENOTTY : EBADF);
  return 0;
}

u32 m_access(u64 path, u32 mode) {
  return exists(path) ? 0 : -1;
}

u32 m_remove(u64 path) {
  if (!exists(path))
    return -1;
  struct file *file = named(path);
  file->has_contents = 0;
  file->is_removed = 1;
  return 0;
}

u32 m_unlink(u64 path) {
  return m_remove(path);
}

u32 m_setvbuf(u64 stream, u64 buffer, u32 mode, u64 size) {
  clew_stream(stream);
  return 0;
}

void m_setbuf(u64 stream, u64 buffer) {
  clew_stream(stream);
}

void m_setlinebuf(u64 stream) {
  clew_stream(stream);
}

/* Positions */

/* Move a descriptor: whether there is such a place. */
static int moved(struct descriptor *opened, u32 distance, u32 origin) {
  if (!opened || clew_is_output(opened) || origin > 2)
    return 0;
  u32 base = 0;
  if (origin == 1)
    base = true_position(opened);
  if (origin == 2) {
    struct file *file = file_of(opened);
    bound(file);
    base = file->length;
  }
  if ((int)(base + distance) < 0)
    return 0;
  opened->position = base + distance;
  opened->overrun = 0;
  return 1;
}

u32 m_fseek(u64 stream, u64 offset, u32 origin) {
  struct stream *at = clew_stream(stream);
  if (origin == 1)
    offset -= at->pushed_count;
  if (!moved(clew_descriptor(at->descriptor), offset, origin))
    return -1;
  at->pushed_count = at->ended = 0;
  return 0;
}

void m_rewind(u64 stream) {
  struct stream *at = clew_stream(stream);
  moved(clew_descriptor(at->descriptor), 0, 0);
  at->pushed_count = at->ended = 0;
}

u64 m_ftell(u64 stream) {
  struct stream *at = clew_stream(stream);
  struct descriptor *opened = clew_descriptor(at->descriptor);
  if (opened && clew_is_output(opened))
    unsupported();
  return opened ? (u64)(true_position(opened) - at->pushed_count) : ~0ull;
}

u64 m_lseek(u32 number, u64 offset, u32 origin) {
  struct descriptor *opened = clew_descriptor(number);
  if (moved(opened, offset, origin))
    return opened->position;
  return (long long)(int)failed(opened ? EINVAL : EBADF);
}
