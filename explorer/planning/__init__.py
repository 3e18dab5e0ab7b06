"""What an index of a given size would need: disk, memory, hours and money, from measured rates and plain formulas."""
