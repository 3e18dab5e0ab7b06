"""Seven mistakes, each of which mypy and pyright find: where one is not found, its comment is reported as unused."""

from __future__ import annotations

import explorer


def mistakes(corpus: explorer.Corpus) -> None:
    # A name that the library does not have.
    explorer.open_indx("folder")  # type: ignore[attr-defined]  # pyright: ignore
    # A method that a corpus does not have.
    corpus.cuont("cat")  # type: ignore[attr-defined]  # pyright: ignore
    # A choice that does not exist.
    corpus.count("cat", match="regexp")  # type: ignore[arg-type]  # pyright: ignore
    # A variant that does not exist.
    corpus.count("cat", ["lowercase"], match="tokens")  # type: ignore[list-item]  # pyright: ignore
    # A setting that does not exist.
    explorer.TraceSettings(word_boundaries="unicod")  # type: ignore[arg-type]  # pyright: ignore
    # A result taken for another type.
    count: str = corpus.search("cat").count  # type: ignore[assignment]  # pyright: ignore
    # A line taken for its text.
    print(count, corpus.concordance("cat")[0].upper())  # type: ignore[attr-defined]  # pyright: ignore
