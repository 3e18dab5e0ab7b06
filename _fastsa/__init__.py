"""The suffix-array engine: search and sorting over arrays of tokens.

It works on bytes, ranks and positions. It has no notion of tokenizers, metadata, index folders or the window.

- `Shard`: find, next tokens, longest matches and positions in one mapped shard.
- `Searcher`: counts, probabilities and next tokens over several shards, for single calls from Python.
- `suffix_array`: linear-time suffix sorting; `pack_pointers`: its result as the bytes of a table.
- `Vocabulary`, `Walk`, `ReversedWalk`: the n-grams in which a text pattern occurs.
- `scan_matches`: where a text pattern's matches begin and end in some bytes.
- `ranges_before`, `ranges_to_end`: n-grams extended by one token before or after.
- `followers`: how many tokens, and how many distinct ones, follow n-grams.
- `hints`: for each token of a text, tokens that follow its context elsewhere.
- `WordsNear`, `run_hashes`: words around many positions; hashes that find equal contexts.
- `NgramWalk`: every n-gram of some shards, counted in one walk; `document_counts`: how many documents have some.
- `LcpPass`: the common prefixes of neighboring suffixes, in linear time; `LcpWalk`: every n-gram, counted from them.
- `SuffixMerge`: the suffixes of several shards in one order, with what neighbors share; `GrowthWalk`: when n-grams become
  frequent as a corpus grows.
- `RepeatWalk`: every passage that occurs more than once and cannot be made longer; `ProfileWalk`, `longest_spans`: the
  longest stretches that occur elsewhere, and earlier. `copied_ranges`, `first_copies`: what they tell at one length.
- `WordCutter`: a text of tokens as words, in one pass. `RepeatCount`: how soon the words of documents repeat.
- `ChunkTable`: texts cut where a tokenizer always cuts them, with the ids of the pieces that occurred before.
- `OrderCheck`, `first_disorder`: whether a table is the suffix array of its text.
- `Mapping`: a mapped file. `enable_fault_guard`: a mapped file that becomes unreadable does not end the program.
- `DamagedTable`: a table entry points to no token. `Stopped`: a stop flag was seen. `BadIds`: invalid token ids.
"""

from _fastsa._around import ranges_before, ranges_to_end
from _fastsa._chunks import BEGINS_IN_WORD, BEGINS_TEXT, ENDS_TEXT, ChunkTable, Cut
from _fastsa._copies import copied_ranges, first_copies
from _fastsa._followers import followers
from _fastsa._hints import hints
from _fastsa._ids import BadIds, token_ids
from _fastsa._lcp import LARGEST_ROOM, LONGEST_PREFIX, LcpPass
from _fastsa._lcp_walk import LcpWalk
from _fastsa._mapping import CAN_MAP, Mapping, any_broken, enable_fault_guard
from _fastsa._maximal import RepeatWalk
from _fastsa._neighbors import GrowthWalk, SuffixMerge
from _fastsa._ngrams import LONGEST_NGRAM, NgramWalk, document_counts
from _fastsa._order import OrderCheck, first_disorder
from _fastsa._pack import pack_pointers, replace_tokens, used_tokens
from _fastsa._patterns import ReversedWalk, TooBroad, Walk
from _fastsa._profile import ProfileWalk, longest_spans
from _fastsa._repeats import RepeatCount
from _fastsa._scan import scan_matches
from _fastsa._searcher import Searcher
from _fastsa._shard import DamagedTable, Shard, Stopped
from _fastsa._sort import suffix_array
from _fastsa._vocabulary import Vocabulary
from _fastsa._word_rule import Pieces, WordCutter, WordsNear
from _fastsa._words import run_hashes

__all__ = [
    "BEGINS_IN_WORD",
    "BEGINS_TEXT",
    "CAN_MAP",
    "ENDS_TEXT",
    "LARGEST_ROOM",
    "LONGEST_NGRAM",
    "LONGEST_PREFIX",
    "BadIds",
    "ChunkTable",
    "Cut",
    "DamagedTable",
    "GrowthWalk",
    "LcpPass",
    "LcpWalk",
    "Mapping",
    "NgramWalk",
    "OrderCheck",
    "Pieces",
    "ProfileWalk",
    "RepeatCount",
    "RepeatWalk",
    "ReversedWalk",
    "Searcher",
    "Shard",
    "Stopped",
    "SuffixMerge",
    "TooBroad",
    "Vocabulary",
    "Walk",
    "WordCutter",
    "WordsNear",
    "any_broken",
    "copied_ranges",
    "document_counts",
    "enable_fault_guard",
    "first_copies",
    "first_disorder",
    "followers",
    "hints",
    "longest_spans",
    "pack_pointers",
    "ranges_before",
    "ranges_to_end",
    "replace_tokens",
    "run_hashes",
    "scan_matches",
    "suffix_array",
    "token_ids",
    "used_tokens",
]
