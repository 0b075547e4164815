"""Arms of a portfolio side by side: each in a process of its own, as many at work at once as there are jobs."""
