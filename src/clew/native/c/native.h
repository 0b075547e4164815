/* What the parts of the native runtime share: where things are, and how a run ends.

   All addresses are fixed, and clew.native.places has the same ones: the program's code has them as constants. The
   program sees nothing but the arena. Every access of its code, and of the library that stands in for libc, is looked up
   in the shadow before it happens: a byte for each 8 bytes of the arena, which says how many of them, from the first on,
   belong to a live object. */

#ifndef CLEW_NATIVE_H
#define CLEW_NATIVE_H

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define SHARED 0x0e00000000ull
#define SHADOW 0x0f00000000ull
#define ARENA 0x1000000000ull
#define ARENA_SIZE 0x28000000ull
#define STACK (ARENA + 0x10000000ull)
#define HEAP (ARENA + 0x18000000ull)

#define COUNTERS (SHARED + 0x100000ull)
#define COUNTERS_SIZE 0x100000u
#define INPUT (SHARED + 0x200000ull)
#define INPUT_SIZE 0x100000u
#define OUTPUT (SHARED + 0x300000ull)
#define OUTPUT_SIZE 0x100000u
#define FOUND (SHARED + 0x400000ull)
#define FOUND_SIZE 0x400000u

/* clew.native.outcome has the same numbers. */
enum end { END_EXIT, END_BUG, END_ASSUMPTION, END_UNSUPPORTED, END_FUEL, END_MEMORY, END_FAULT };
enum bug { BUG_ACCESS, BUG_DIVISION, BUG_TRAP, BUG_UNREACHABLE, BUG_FREE, BUG_ASSERT, BUG_ABORT, BUG_CALL, BUG_OVERLAP };

/* The beginning of the shared memory. The program's code knows the first four. */
struct shared {
  u64 fuel;
  u64 stack;
  u64 stack_high;
  u64 noting;
  /* Of a request */
  u64 input_size, fuel_per_run, most_heap, stdin_most, reads_stdin;
  u64 seed, most_input, most_work, stale_runs;
  /* Of an answer */
  u64 end, detail, place, input_used, output_size;
  u64 runs_done, work_done, found_count, corpus_count;
  u64 matching; /* mutation is told how much of a constant text is matched */
};
#define shared ((struct shared *)SHARED)

struct native_frame {
  u32 size, count;
  struct { u32 offset, size; } objects[];
};

/* Made by clew.native.emit for one program. */
extern const u64 clew_object_count, clew_objects[];
extern const u64 clew_chunk_count, clew_chunks[];
extern const u8 clew_chunk_data[];
extern const u64 clew_writable_end, clew_site_count;
extern const u64 clew_function_base, clew_function_count, clew_function_signatures[];
extern const void *const clew_function_codes[];
extern const u64 clew_errno, clew_streams, clew_is_traced;
extern const u64 clew_destructor_count, clew_destructors[];
extern const u64 clew_word_count, clew_words[];
extern const u8 clew_word_data[];
void clew_program(void);

/* memory.c */
_Noreturn void clew_end(u32 how, u64 detail, u64 place);
void clew_check(u64 address, u64 size);
u64 clew_string(u64 address);
u64 clew_string_within(u64 address, u64 most);
u64 clew_allocate(u64 size, u64 align);
u64 clew_block_size(u64 address);
void clew_free(u64 address);
u64 clew_push(u64 size, u64 align);
void clew_prepare_memory(void);
void clew_reset_memory(void);
extern int clew_may_discard; /* whether the kernel may be told to forget what pages hold */
void clew_restore(u64 base);

/* What is left of a run, beside memory: jumps.c, environment.c, strings.c, files.c */
void clew_forget_all_jumps(void);
void clew_reset_environment(void);
void clew_reset_strings(void);
void clew_reset_files(void);

/* input.c */
u64 clew_input(u32 size);
void clew_input_to(u64 address, u64 size);
u32 clew_next_character(u64 stream);
void clew_begin_scan(u64 stream);
u32 m_ungetc(u32 character, u64 stream);

/* format.c */
u64 clew_argument(u64 *area);
u64 clew_area_of(u64 list);

/* library.c */
void clew_apart(u64 to, u64 written, u64 from, u64 read);

/* mutation.c */
void clew_add_input(void);
void clew_mutate(void);
void clew_note_compared(const u8 *one, u64 one_size, const u8 *other, u64 other_size);
void clew_note_match(u64 text, u64 level, int is_as_long);

/* serve.c */
void clew_run_once(void);

#define AT(address) ((u8 *)(address))

#endif
