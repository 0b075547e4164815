// Two counters that go up by two: one as long as inputs say so, one for a fixed number of rounds. Both stay even, also where
// the first wraps around.
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned often = 0, far = 0;
    while (__VERIFIER_nondet_int())
        often += 2;
    while (far < 400000001)
        far += 2;
    assert(often % 2 == 0);
    assert(far == 400000002);
    return 0;
}
