"""A script that uses the whole library, with the types that a reader would write. mypy and pyright find no mistake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import explorer
from explorer import Concordance, ConcordanceLine, Corpus, CorpusError, NextTokens, Query, Tabular, Variant


def lengths(corpus: Corpus, text: str) -> NDArray[np.int64]:
    return corpus.longest_matches(corpus.encode(text))


def counted(corpus: Corpus, queries: Sequence[Query], variants: Sequence[Variant]) -> dict[str, int]:
    return {str(query): corpus.count(query, variants, match="tokens") for query in queries}


def best(found: NextTokens) -> tuple[str, float]:
    first = found.top(1)
    return first.texts[0], float(first.probabilities[0])


def sides(lines: Concordance) -> Iterator[tuple[str, str]]:
    one: ConcordanceLine = lines[0]
    several: list[ConcordanceLine] = lines[1:5]
    for line in [one, *several, *lines]:
        yield line.left, line.right


def saved(results: Sequence[Tabular], folder: Path) -> None:
    for number, result in enumerate(results):
        result.write(folder / f"{number}.parquet", about=number == 0)


def main(texts: Path, folder: Path) -> str:
    manifest = explorer.build_index([texts], folder / "index", tokenizer="train:400", name="Cats")
    print(manifest.token_count, explorer.verify_index(folder / "index").sound)
    cancel = explorer.CancelToken()
    with explorer.open_index(folder / "index", minus=None) as corpus:
        found = corpus.search("cat AND NOT dog", max_distance=20)
        settings = explorer.TraceSettings(word_boundaries="unicode", relevance="share", read="auto")
        traced = corpus.trace("the cat sat on the mat", settings=settings, cancel=cancel)
        agreement = corpus.agreement("the cat sat", max_n=5, first=1)
        lines = corpus.concordance(found, sort="left,document", view=explorer.LineSettings(sample=10))
        token: int = int(corpus.encode("mat")[0])
        share: float = corpus.prob("the cat sat on the", token).probability
        places = corpus.concordance([1, 2, 3]).locate(0, 5).documents
        titles = [document.text for document in corpus.documents() if "cat" in document.text]
        spans = [(span.start, span.count) for span in traced.spans]
        saved([traced, agreement, lines.table(5, fields=("year",)), corpus.infgram_next_tokens("the")], folder)
        pair = best(corpus.next_tokens("the ", limit=100))
        rows: int = lines.to_arrow(width=5, fields=("year",)).num_rows
        frame = corpus.next_tokens("the").to_pandas()
        both = explorer.compare_texts("one text", "another text").differences
        figures = (traced.coverage, float(agreement.agrees.mean()), share, corpus.cnf([["cat"], ["mat"]]).count)
        print(found.count, rows, frame, places.tolist(), titles, spans, pair, len(both), figures, list(sides(lines)))
        try:
            print(counted(corpus, ["cat", corpus.encode("dog")], ["space", "lower"]), "cat" in corpus)
        except CorpusError as error:
            print(error.reason, error.path, error.line)
        return traced.to_html() if lengths(corpus, "the cat").max() > 1 else corpus.decode(agreement.tokens)
