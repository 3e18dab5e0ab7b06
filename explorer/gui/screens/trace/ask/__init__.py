"""The tab that asks models and traces their answers."""
