// A guard about what is in an array.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

int main(void) {
  char text[6];
  for (int k = 0; k < 5; k++) text[k] = __VERIFIER_nondet_char();
  text[5] = 0;
  int length = 0;
  // loop: none @+1
  while (text[length] != 0) length++;
  // expect: error-call @+1
  if (length == 4) reach_error();
  // uncovered: true @+1
  if (length > 5) reach_error();
  return 0;
}
