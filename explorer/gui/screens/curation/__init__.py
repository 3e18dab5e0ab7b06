"""The Curation screen: what a corpus repeats, and what to cut of it."""
