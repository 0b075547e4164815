// Wide characters and locales, as glibc has them in the locale "C"; umask; sincos.
// paths: 1
// exit: 0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  wchar_t wide[32], *rest;
  char text[16];
  double sine, cosine;
  wcscpy(wide, L"hey");
  wcscat(wide, L" you");
  assert(wcslen(wide) == 7 && !wcscmp(wide, L"hey you") && wcsstr(wide, L"yo") == wide + 4 && !wcschr(wide, L'z'));
  assert(wcstok(wide, L" ", &rest) == wide && wcstok(0, L" ", &rest) == wide + 4 && !wcstok(0, L" ", &rest));
  assert(mbstowcs(wide, "hello", 16) == 5 && wide[4] == L'o');
  assert(mbstowcs(wide, "\x80", 16) == (size_t)-1 && errno == EILSEQ);
  assert(wcstombs(text, L"xyz", 16) == 3 && !strcmp(text, "xyz") && wcstombs(text, L"x\u00e9", 16) == (size_t)-1);
  assert(wcstol(L" 42x", &rest, 10) == 42 && *rest == L'x' && wcstod(L"2.5", &rest) == 2.5 && !*rest);
  assert(swprintf(wide, 32, L"%d-%ls-%s-%lc", 3, L"wide", "nar", L'q') == 12 && !wcscmp(wide, L"3-wide-nar-q"));
  assert(swprintf(wide, 3, L"%d", 1234) == -1);
  snprintf(text, 16, "%ls|%.2ls", L"ab", L"xyz");
  assert(!strcmp(text, "ab|xy") && iswalpha(L'a') && !iswalpha(0xe9) && towupper(L'b') == L'B');
  locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  assert(own && uselocale(0) == LC_GLOBAL_LOCALE && uselocale(own) == LC_GLOBAL_LOCALE && uselocale(0) == own);
  assert(!newlocale(LC_ALL_MASK, "xx", (locale_t)0) && errno == ENOENT);
  mode_t mask = umask(077);
  assert(umask(mask) == 077);
  sincos(0.0, &sine, &cosine);
  assert(sine == 0 && cosine == 1);
  wprintf(L"%d %ls\n", 3, wide);
  assert(wcwidth(L'a') == 1 && wcwidth(0) == 0 && wcwidth(L'\n') == -1 && wcswidth(L"ab\tc", 2) == 2 && wcswidth(L"ab\tc", 3) == -1);
  return 0;
}
