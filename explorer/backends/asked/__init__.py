"""The questions of the seam as JSON: a backend that asks another machine, and what both ends know of the questions."""
