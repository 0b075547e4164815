// In one mode the counter rises, in the other it falls; it never leaves its band.
// verdict: TRUE
// inputs: 1*12
#include "../task.h"

int main(void) {
  int heating = 1, temperature = 15;
  while (__VERIFIER_nondet_bool()) {
    if (heating) {
      temperature++;
      if (temperature >= 25) heating = 0;
    } else {
      temperature--;
      if (temperature <= MUTANT(10, 9)) heating = 1;
    }
    assert(temperature >= 10 && temperature <= 25 MUTANT(, - (heating == 0)));
  }
  return 0;
}
