"""Loop navigation: chains, their counters, constraint systems over these, execution that they steer."""
