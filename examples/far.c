// A loop of three hundred million rounds, one of which is special.
#include <stdio.h>

int main(void) {
    unsigned special = 0, sum = 0;
    for (unsigned i = 0; i < 300000000; i++) {
        if (i == 250000000)
            special++;
        sum += 3;
    }
    if (special != 1 || sum != 900000000)
        puts("something was skipped");
    return 0;
}
