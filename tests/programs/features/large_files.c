// Compiled for large files, headers of glibc put other names in the place of these functions.
// exit: 0
#define _FILE_OFFSET_BITS 64
#include <assert.h>
#include <stdio.h>
#include <sys/stat.h>

int main(void) {
  FILE *file = tmpfile();
  fpos_t second;
  struct stat known;
  if (!file)
    return 0;
  fputs("abc", file);
  fflush(file);
  assert(!fstat(fileno(file), &known) && S_ISREG(known.st_mode) && known.st_size == 3 && known.st_nlink == 1);
  rewind(file);
  assert(fgetc(file) == 'a' && !fgetpos(file, &second));
  assert(fgetc(file) == 'b' && fgetc(file) == 'c' && !fsetpos(file, &second) && fgetc(file) == 'b');
  flockfile(file);
  assert(fgetc(file) == 'c');
  funlockfile(file);
  fclose(file);
  return 0;
}
