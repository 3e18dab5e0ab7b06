"""A command line for each kind of record: other programs read what it prints, in tests/test_readers.py."""

from __future__ import annotations

FIELDS = ("year", "big", "name", "tags", "ok")
LINES = {
    "add": "grown u.txt",
    "agree": "index a.jsonl --group name --on-bad skip",
    "agree neural": "index neural.jsonl --neural",
    "breakdown": "index the --by name",
    "build": "a.jsonl --out new --tokenizer bytes --on-bad skip",
    "compare-texts": "t.txt u.txt",
    "count": "index cat dog =1 --documents",
    "count patterns": "index --patterns list.csv --match regex",
    "count variants": "index cat --match tokens --variants upper,space",
    "dispersion": "index the",
    "draft": "index a.jsonl --on-bad skip",
    "fgrams": "index --min-count 2",
    "generate": "index the --max-tokens 3",
    "hints": "index a.jsonl --on-bad skip",
    "info": "index",
    "kwic": "index the",
    "kwic fields": f"index the --fields {','.join(FIELDS)}",
    "kwic none": "index nowhere",
    "merge": "index grown --out merged",
    "mix": "index --probabilities neural.jsonl --method witten-bell",
    "next": "index the",
    "next none": "index zzzz --n 4",
    "next words": "index the --words",
    "ngram-profile": "index cat",
    "perplexity": "index a.jsonl --method levels --on-bad skip",
    "probe": "index a.jsonl --method levels --prompt-field text --text-field name --on-bad skip",
    "project check": "check p.cxproj",
    "project lines": "lines p.cxproj cats",
    "project show": "show p.cxproj",
    "set-tokenizer": "index",
    "trace": "index t.txt",
    "trace conversation": "index chat.json --conversation",
    "trace full": "index a.jsonl --full --on-bad keep",
    "trace many": "index a.jsonl --on-bad keep",
    "verify": "index",
    "wordlist": "index --top 5",
}
"""A command line for each kind of record; the first word of its name is the command."""
