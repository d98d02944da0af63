"""What goes wrong in the tests: broken worlds, fake solvers, killed processes, poisoned facts."""
