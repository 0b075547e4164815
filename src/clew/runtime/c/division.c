/* stdlib.h and inttypes.h: quotient and remainder. In C, so that the compiler returns the structs as the ABI wants. */

typedef struct { int quot, rem; } __clew_int;
typedef struct { long quot, rem; } __clew_long;
typedef struct { long long quot, rem; } __clew_long_long;
typedef struct { __INTMAX_TYPE__ quot, rem; } __clew_intmax;

__clew_int div(int a, int b) { return (__clew_int){a / b, a % b}; }
__clew_long ldiv(long a, long b) { return (__clew_long){a / b, a % b}; }
__clew_long_long lldiv(long long a, long long b) { return (__clew_long_long){a / b, a % b}; }
__clew_intmax imaxdiv(__INTMAX_TYPE__ a, __INTMAX_TYPE__ b) { return (__clew_intmax){a / b, a % b}; }
