"""The items of a benchmark, and what a user makes of them."""
