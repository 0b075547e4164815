/* For the tasks about loops: two in each file, the second (a mutant with the other verdict) with -DTWIN. */
#include <assert.h>

#ifdef TWIN
#define MUTANT(original, ...) __VA_ARGS__
#else
#define MUTANT(original, ...) original
#endif

extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern signed char __VERIFIER_nondet_schar(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);
