"""The suffix-array engine: search and sorting over arrays of tokens.

Knows bytes, ranks and positions; knows nothing of tokenizers, metadata, files or windows.

- `Shard`: find, next tokens, longest matches and positions in one mapped shard.
- `Searcher`: counts, probabilities and next tokens over several shards, called one by one.
- `suffix_array`: linear-time suffix sorting; `pack_pointers`: its result as a table's bytes.
- `word_keys`, `run_hashes`: words around many places as keys to sort by; equal surroundings.
- `Watch`: a mapped file that cannot be read any more does not end the program.
- `DamagedTable`: a table entry points to no token. `Stopped`: a stop flag was seen.
"""

from _fastsa._faults import Watch, any_broken
from _fastsa._pack import pack_pointers, replace_tokens, used_tokens
from _fastsa._searcher import BadIds, Searcher
from _fastsa._shard import DamagedTable, Shard, Stopped
from _fastsa._sort import suffix_array
from _fastsa._words import Pieces, key_ranks, run_hashes, word_keys

__all__ = [
    "BadIds",
    "DamagedTable",
    "Pieces",
    "Searcher",
    "Shard",
    "Stopped",
    "Watch",
    "any_broken",
    "key_ranks",
    "pack_pointers",
    "replace_tokens",
    "run_hashes",
    "suffix_array",
    "used_tokens",
    "word_keys",
]
