/* A function that calls itself on its own result: whatever the depth, 91 comes out for all that is not above 100. */
#include <assert.h>

int __VERIFIER_nondet_int(void);

int down(int n)
{
    if (n > 100)
        return n - 10;
    return down(down(n + 11));
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int result = down(n);
    if (n <= 100)
        assert(result == 91);
    else
        assert(result == n - 10);
    return 0;
}
