/* What a program may try, by number, in a native run: see test_hostile.py. Number 0 behaves. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int counter = 7;
static char text[8] = "text";
static volatile long zero;
static int *kept;
static char huge[4 << 20];

static int twice(int x) { return 2 * x; }
static int (*function)(int) = twice;

static long endless(long n) { return endless(n + 1) * counter ^ n % (counter | 1); }

static long tree(int depth) { return depth ? tree(depth - 1) + tree(depth - 1) : 1; }

static int *local(void) {
  int here[4] = {1, 2, 3, 4};
  kept = here;
  return kept + 1;
}

static void poke(unsigned long address) { *(volatile unsigned long *)address = 0x4141414141414141ul; }

static void behave(void) {
  char *copy = malloc(32);
  strcpy(copy, text);
  if (huge[0] || huge[3 << 20] || huge[sizeof huge - 1]) strcpy(copy, "not as it was");
  printf("%s %d %d %ld\n", copy, counter++, function(21), zero);
  text[0]++;
  free(copy);
}

static jmp_buf place, inner;

static void returned(void) { setjmp(place); }

static void again(void) {
  setjmp(place);
  longjmp(place, 1);
}

static void leave(void) {
  if (!setjmp(inner)) longjmp(place, 1);
}

static int crowd(int depth) {
  jmp_buf own;
  if (setjmp(own)) return depth;
  return depth ? crowd(depth - 1) : 1;
}

static int jumps(int what) {
  volatile int round = 0;
  switch (what) {
  case 30: returned(); longjmp(place, 1);
  case 31: ((unsigned long *)place)[0] = 0x6a756d7000000000ul; longjmp(place, 1);
  case 32: again();
  case 33: return crowd(300);
  case 34: if (!setjmp(place)) leave(); longjmp(inner, 1);
  case 35: setjmp(place); memset(place, 7, sizeof place); longjmp(place, 1);
  case 36: longjmp((void *)0x0e00000000ul, 1);
  case 37: setjmp(place); if (round++ < 3) leave(); return 3;
  }
  return 0;
}

static void files(int what, char *heap) {
  FILE *made = fopen("made", "w+");
  long far = 0x7fffffff;
  switch (what) {
  case 49: ((char *)made)[0] = 1; break;
  case 50: fclose(made); fputc('x', made); break;
  case 51: fputc('x', (FILE *)((char *)made + 8)); break;
  case 52: fputc('x', (FILE *)heap); break;
  case 53: fputc('x', (FILE *)((char *)made + (1 << 20))); break;
  case 54: fputc('x', made + 64); break;
  case 55: for (;;) fputc('x', made); break;
  case 56: for (;;) fopen("made", "r"); break;
  case 57: for (;;) { char name[3] = {'A' + counter++ % 60, 'A' + counter / 60}; fopen(name, "r"); } break;
  case 58: fseek(made, far, SEEK_SET); fputc('x', made); break;
  case 59: fseek(made, far, SEEK_SET); if (getc(made) != EOF) abort(); break;
  case 60: fopen((char *)0x0e00000000ul, "r"); break;
  case 61: ungetc('x', made); fread((void *)0x0f00000000ul, 1, 1, made); break;
  case 62: fwrite(heap, 1, 9, made); break;
  case 63: { size_t room = 1 << 20; char *line = heap; getline(&line, &room, stdin); } break;
  case 64: ungetc('x', made); ungetc('x', made); for (;;) ungetc('x', made); break;
  }
}

int main(void) {
  unsigned char what = __VERIFIER_nondet_uchar();
  char small[8] = {0};
  char *heap = malloc(8);
  behave();
  switch (what) {
  case 1: poke(0x1234); break;
  case 2: poke(0x0e00000000ul); break;
  case 3: poke(0x0f00000008ul); break;
  case 4: poke(0xffffffffffffff00ul); break;
  case 5: for (;;) counter ^= 1; break;
  case 6: return endless(0) == 0;
  case 7: return tree(62) == 0;
  case 8: for (;;) memset(malloc(1 << 20), 1, 1 << 20); break;
  case 9: function = (int (*)(int))0x1000001000ul; return function(1);
  case 10: function = (int (*)(int))poke; return function(1);
  case 11: function = (int (*)(int))((char *)twice + 4); return function(1);
  case 12: __asm__ volatile("nop; nop"); break;
  case 13: *(char *)(long)"constant" = 'x'; break;
  case 14: small[zero + 4000] = 1; break;
  case 15: small[zero + 8] = 1; break;
  case 16: free(heap); heap[0] = 1; break;
  case 17: free(heap); free(heap); break;
  case 18: free(small); break;
  case 19: free(heap + 8); break;
  case 20: *local() = 5; break;
  case 21: *(int *)zero = 1; break;
  case 22: return 5 / (int)zero;
  case 23: memset(heap, 1, (unsigned long)-1); break;
  case 24: sprintf(small, "%s", "far too long for it"); break;
  case 25: printf("%s", (char *)7); break;
  case 26: { char array[zero + 1 + (1 << 30)]; memset(array, 1, sizeof array); return array[9]; }
  case 27: abort();
  case 28: return system("true");
  case 29: __builtin_trap();
  case 30: case 31: case 32: case 33: case 34: case 35: case 36: case 37: free(heap); return jumps(what);
  case 38: huge[0] = huge[3 << 20] = huge[sizeof huge - 1] = 1; break;
  case 39: sscanf("far-too-long-for-it", "%s", small); break;
  case 40: sscanf("7", "%d", (int *)0x0e00000000ul); break;
  case 41: strtok((char *)(long)"con stant", " "); break;
  case 42: memset(malloc(64 << 20), 1, 64 << 20); break;
  case 43: { char *fresh = calloc(1, 64 << 20); for (int i = 0; i < 64 << 20; i += 512) if (fresh[i]) abort(); } break;
  case 44: setenv("A", (char *)7, 1); break;
  case 45: for (;;) { char name[3] = {'A' + counter++ % 60, 'A' + counter / 60}; setenv(name, name, 1); } break;
  case 46: read(0, (void *)0x0f00000000ul, 100); memcpy(heap, (void *)0x0e00000000ul, 8); break;
  case 47: time((void *)0x0e00000000ul); break;
  case 48: scanf((char *)0x0e00000000ul); break;
  }
  if (what >= 49) files(what, heap);
  free(heap);
  return 3;
}
