"""Coverage-guided fuzzing of the opener: a small index with some of its files replaced, opened and asked.

The input's first byte says which files are replaced (a bit each); the rest is shared out among them.
usage: python tests/fuzz/opener.py tests/fuzz/corpus/opener -max_total_time=60
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(
    include=["explorer.backends", "explorer.core.files", "explorer.index", "explorer.text.tokens"]
):
    from explorer import build_index, open_index
    from explorer.errors import CorpusError

FILES = ("tokenized.0", "table.0", "offset.0", "metadata.0", "metaoff.0", "unigram.0", "index.json", "tokenizer.json")
PLACE = Path(tempfile.mkdtemp(prefix="corpus-explorer-fuzz-"))
BASE, COPY = PLACE / "base", PLACE / "copy"


def make_base() -> None:
    (PLACE / "texts").mkdir()
    for name, text in (("a.txt", "the cat sat on the mat"), ("b.txt", "the dog saw the cat")):
        (PLACE / "texts" / name).write_text(text)
    build_index(PLACE / "texts", BASE, tokenizer="train:300")


def one(data: bytes) -> None:
    if not data:
        return
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(BASE, COPY)
    replaced = [name for bit, name in enumerate(FILES) if data[0] >> bit & 1]
    size = len(data) // max(1, len(replaced))
    for number, name in enumerate(replaced):
        (COPY / name).write_bytes(data[1 + number * size : 1 + (number + 1) * size])
    try:
        corpus = open_index(COPY)
        found = corpus.search("the cat")
        for line in corpus.concordance(found).lines(0, 5, width=3):
            corpus.document(line.document)
    except CorpusError as error:
        assert str(error).strip()


if __name__ == "__main__":
    make_base()
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
