// A hundred thousand shelves: numbered, filled from the other end, and moved up by one as far as an input says.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

enum { SHELVES = 100000 };
static int label[SHELVES], content[SHELVES];

int main(void) {
    unsigned moved = __VERIFIER_nondet_uint();
    if (moved >= SHELVES)
        return 0;
    for (int i = 0; i < SHELVES; i++)
        label[i] = i;
    for (int i = 0; i < SHELVES; i++)
        content[SHELVES - 1 - i] = label[i];
    for (unsigned i = 0; i < moved; i++)
        content[i] = content[i + 1];
    for (unsigned i = 0; i < SHELVES; i++) {
        assert(content[i] == (int)(SHELVES - 1 - i) - (i < moved)); // holds
        assert(content[i] >= 0);                                    // holds
        assert(content[i] != 77777);                                // wrong: shelf 22222, or the one before it
    }
    return 0;
}
