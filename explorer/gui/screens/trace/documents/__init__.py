"""The documents, novelty and profile beside a traced text."""
