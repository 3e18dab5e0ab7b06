"""Text patterns over tokens: what a person types, compiled to an automaton and walked over the vocabulary."""
