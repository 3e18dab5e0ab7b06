"""The calls of the Python package infini-gram 2.6, answered by this program's engine.

A script changes one import:

    from explorer.infini_gram import InfiniGramEngine

`docs/from-infini-gram.md` lists the calls, what `Corpus` has in their place, and where answers differ. This room shows
what that package shows: shards, ranks in their suffix arrays, and byte positions in their files of tokens. It is
therefore the one room besides the backends that knows them.
"""

from explorer.infini_gram.engine import Engine, InfiniGramEngine

__all__ = ["Engine", "InfiniGramEngine"]
