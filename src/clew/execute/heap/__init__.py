"""Memory that a function is given: lazy initialization of what input pointers point to."""
