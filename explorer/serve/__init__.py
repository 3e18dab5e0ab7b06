"""Answers for others: open indexes by infini-gram's protocol, as completions, and as tools of assistants."""
