"""Several indexes of any kind as one: each is asked the same question, and the answers are added up."""
