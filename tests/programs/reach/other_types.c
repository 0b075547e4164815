// A call with an argument of another type than the function has.
// reach: UNKNOWN label sum (other types)
int half();

int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += half(3.0);
  if (sum == 9) { sum: return 1; }
  return 0;
}

int half(int number) { return number; }
