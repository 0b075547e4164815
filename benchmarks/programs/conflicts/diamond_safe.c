/* Two diamonds in a row that never touch what the error depends on: one path is enough. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_error(void) __attribute__((__noreturn__));

int main(void) {
  int ready = __VERIFIER_nondet_int();
  unsigned level = (unsigned)__VERIFIER_nondet_int();
  int up;
  if (!ready)
    return 0;
  if (__VERIFIER_nondet_bool())
    up = 1;
  else
    up = 0;
  if (up)
    level = level + 1;
  else
    level = level - 1;
  if (!ready)
    __VERIFIER_error();
  return (int)(level & 1);
}
