/* Subject 5, a length check that forgets what unpacking adds, as in many reports of buffer overflows: records of 12
   bytes become 16 in memory, and the check counts records. 4097 to 4200 of them pass it and do not fit. */
// branches: 10
extern int klee_int(const char *name);
extern void abort(void);

#define HEADER 8
#define PACKED 12
#define UNPACKED 16
#define BUFFER 65536
#define MOST_RECORDS 4200

int main(void) {
  int size = klee_int("size");
  int used = 0, records = 0;
  if (size < HEADER) return 1;
  int left = size - HEADER;
  while (left >= PACKED) {
    left -= PACKED;
    used += UNPACKED;
    records++;
  }
  if (left != 0) return 2;
  if (records > MOST_RECORDS) return 3;
  if (used > BUFFER) abort();
  return 0;
}
