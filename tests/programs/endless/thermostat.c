// Heating with hysteresis: the temperature moves by one in each round, and stays where it should be.
// twin: temperature <= 18 => temperature <= 16
// twin: >= 22) heating = 0; => >= 22) ;
#include "../verify/verifier.h"

int main(void) {
  int temperature = 20;
  _Bool heating = 0;
  unsigned hours = 0, minutes = 0;
  while (1) {
    minutes = (minutes + 1) % 60;
    hours += minutes == 0;
    if (temperature <= 18) heating = 1;
    if (temperature >= 22) heating = 0;
    if (heating) temperature++;
    else if (__VERIFIER_nondet_bool()) temperature--;
    assert(temperature >= 17 && temperature <= 22);
  }
}
