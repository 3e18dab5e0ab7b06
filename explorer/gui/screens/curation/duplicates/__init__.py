"""Which passages repeat, and how much goes if only one copy of each stays."""
