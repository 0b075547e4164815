/* A lift that reads a button in each round, for ever: it never moves with an open door. */
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int floor = 0, wanted = 0, door = 0;
    unsigned rounds = 0;
    for (;;) {
        unsigned char button = __VERIFIER_nondet_uchar();
        rounds++;
        if (button < 4 && !door && floor == wanted)
            wanted = button;
        if (door > 0)
            door--;
        else if (floor < wanted)
            floor++;
        else if (floor > wanted)
            floor--;
        else if (button == 4)
            door = 3;
        assert(floor == wanted || door == 0);
        assert(floor >= 0 && floor < 4);
    }
}
