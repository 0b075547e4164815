/* Open files of a run, as clew.models.streams has them: streams, descriptors, contents.

   They lie in the arena, where the program cannot get at them, so that a traced run keeps the shadows of what is in files,
   and of how long they are. All of it is zero when a run begins. */

#ifndef CLEW_FILES_H
#define CLEW_FILES_H

#include "native.h"

#define NO_CHARACTER ((u32)-1)
#define MOST_PUSHED 16
#define MOST_STREAMS 64
#define MOST_FILES 16
#define LONGEST_NAME 128
#define LARGEST_FILE 8192

#define FILE_SIZE 16 /* these four as in clew.models.streams */
#define GROWTHS 16
#define LARGEST_GROWTH 256
#define FAR (1 << 20)

struct stream {
  u32 is_known, is_closed, descriptor, ended, pushed_count, padding[3];
  u8 pushed[MOST_PUSHED];
  u64 more[2];
};

struct descriptor {
  u32 is_known, is_closed, file, reads, writes, appends, position, overrun;
};

struct file {
  u64 name_size;
  u32 is_asked_for; /* whether there is one, which is an input */
  u32 is_there, is_removed, has_contents, is_written;
  u32 length, size, growths; /* bytes that are there, bytes that are read, how often there may be more of them */
  u8 name[LONGEST_NAME];
};

/* The first streams, descriptors and file are the standard ones. */
struct files {
  struct stream streams[MOST_STREAMS];
  struct descriptor descriptors[MOST_STREAMS];
  struct file files[MOST_FILES];
  u32 stream_count, descriptor_count, file_count, is_used; /* beside the standard ones */
  u8 data[MOST_FILES][LARGEST_FILE];
};
#define world ((struct files *)clew_streams)

struct stream *clew_stream(u64 address);
struct descriptor *clew_descriptor(u32 number);
struct descriptor *clew_readable(u32 number);
void clew_reach(struct descriptor *opened, u64 wanted, int grows);
u32 clew_file_byte(struct descriptor *opened, u32 further);
int clew_is_output(const struct descriptor *opened);
int clew_may_grow(struct descriptor *opened);
u64 clew_bytes_ahead(const struct stream *from);
u32 clew_next_byte(struct stream *from);
void clew_reach_stream(struct stream *from, u64 wanted, int grows);
void clew_write_byte(struct descriptor *opened, u32 byte);

#endif
