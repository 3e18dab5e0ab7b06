"""Requests to an index on another machine: their pace, repetition, cancellation and cache."""
