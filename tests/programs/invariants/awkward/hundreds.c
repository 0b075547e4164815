// Hundreds of variables at once: a cheaper domain takes over, and that is said.
// says: too expensive
#include "../verifier.h"

#define TEN(X, p) X(p##0) X(p##1) X(p##2) X(p##3) X(p##4) X(p##5) X(p##6) X(p##7) X(p##8) X(p##9)
#define HUNDRED(X, p) \
  TEN(X, p##0) TEN(X, p##1) TEN(X, p##2) TEN(X, p##3) TEN(X, p##4) \
  TEN(X, p##5) TEN(X, p##6) TEN(X, p##7) TEN(X, p##8) TEN(X, p##9)
#define ALL(X) HUNDRED(X, a) HUNDRED(X, b)
#define DECLARE(name) int name = __LINE__;
#define COUNT(name) name++;

int main(void) {
  ALL(DECLARE)
  for (int i = 0; i < 100; i++) {
    ALL(COUNT)
  }
  return a00 < b99;
}
