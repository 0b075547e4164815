// A thermostat with a dead band, the heat by the weather.
// verdict: TRUE
// inputs: 2
#include "../task.h"

int main(void) {
  int temperature = 20, on = 0;
  while (1) {
    unsigned char weather = __VERIFIER_nondet_uchar();
    if (temperature < 18) on = 1;
    if (temperature > 22) on = 0;
    if (on)
      temperature += 2;
    else if (weather % 2 == 0)
      temperature -= MUTANT(1, 4);
    assert(temperature >= 17 && temperature <= 24);
  }
}
