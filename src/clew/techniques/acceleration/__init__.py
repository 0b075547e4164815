"""Acceleration: loops replaced by their closures, the relations between states that any number of iterations has."""
