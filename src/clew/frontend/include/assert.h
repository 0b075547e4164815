/* <assert.h> as the C standard describes it: one branch per assertion, the same on every target.
   Found before the target's own. May be included again after NDEBUG changed, so it has no guard. */
#undef assert
#ifdef NDEBUG
#define assert(expr) ((void)0)
#else
#define assert(expr) \
  ((expr) ? (void)0 : __assert_fail(#expr, __FILE__, __LINE__, __func__))
#endif

#ifndef CLEW_ASSERT_H
#define CLEW_ASSERT_H
void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((noreturn));
#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ <= 201710L)
#define static_assert _Static_assert
#endif
#endif
