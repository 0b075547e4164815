// The same without a main: every parameter of the function is an input.
// function: get_sign
// paths: 3
// exit: 0
int get_sign(int x) {
  if (x == 0)
    return 0;
  if (x < 0)
    return -1;
  else
    return 1;
}
