// A guard of every relation, ending the loop on either side, signed and unsigned, up and down. The error needs a thousand
// iterations, whatever the relation.
//
// variant: -DTYPE=int -DLOW=-5 -DHIGH=20000 -DFROM=0 -DSTEP=1 -DGUARD=(i<n)
// variant: -DTYPE=int -DLOW=-5 -DHIGH=20000 -DFROM=0 -DSTEP=1 -DGUARD=(n>i)
// variant: -DTYPE=int -DLOW=-5 -DHIGH=20000 -DFROM=0 -DSTEP=3 -DGUARD=(i<=n)
// variant: -DTYPE=int -DLOW=-5 -DHIGH=20000 -DFROM=n -DSTEP=-1 -DGUARD=(i>0)
// variant: -DTYPE=int -DLOW=-5 -DHIGH=20000 -DFROM=n -DSTEP=-7 -DGUARD=(i>=0)
// variant: -DTYPE=int -DLOW=-5 -DHIGH=20000 -DFROM=-5 -DSTEP=1 -DGUARD=(i!=n)
// variant: -DTYPE=int -DLOW=-5 -DHIGH=3000 -DFROM=n -DSTEP=1 -DGUARD=(i!=3000)
// variant: -DTYPE=unsigned -DLOW=0 -DHIGH=20000 -DFROM=0 -DSTEP=1 -DGUARD=(i<n)
// variant: -DTYPE=unsigned -DLOW=0 -DHIGH=20000 -DFROM=0 -DSTEP=2 -DGUARD=(i<=n)
// variant: -DTYPE=unsigned -DLOW=0 -DHIGH=20000 -DFROM=n -DSTEP=-1 -DGUARD=(i>0)
// variant: -DTYPE=unsigned -DLOW=0 -DHIGH=20000 -DFROM=n -DSTEP=-3 -DGUARD=(i>=17)
// variant: -DTYPE=unsigned -DLOW=0 -DHIGH=20000 -DFROM=0 -DSTEP=1 -DGUARD=(i!=n)
// variant: -DTYPE=short -DLOW=-5 -DHIGH=20000 -DFROM=0 -DSTEP=5 -DGUARD=(i<n)
// variant: -DTYPE=long -DLOW=-5 -DHIGH=20000 -DFROM=n -DSTEP=-1 -DGUARD=(i>-4)
// plain: no
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  int bound = __VERIFIER_nondet_int();
  __VERIFIER_assume(bound >= LOW && bound <= HIGH);
  TYPE n = bound;
  TYPE i = FROM;
  unsigned count = 0;
  // loop: sound @+1
  while (1) {
    if (!GUARD) break;
    i += STEP;
    count++;
  }
  if (count == 1000)
    // expect: error-call @+1
    reach_error();
  return 0;
}
