"""Mistakes, each of which mypy and pyright find: where one is not found, its comment is reported as unused."""

from __future__ import annotations

import explorer


def mistakes(corpus: explorer.Corpus) -> None:
    # A name that the library does not have.
    explorer.open_indx("folder")  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    # A method that a corpus does not have.
    corpus.cuont("cat")  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    # A choice that does not exist.
    corpus.count("cat", match="regexp")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    # A variant that does not exist.
    corpus.count("cat", ["lowercase"], match="tokens")  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    # A setting that does not exist.
    explorer.TraceSettings(word_boundaries="unicod")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    # An option that a method does not have.
    corpus.trace_many(["cat"], worker=2)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    # A result taken for another type.
    count: str = corpus.search("cat").count  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
    # A line taken for its text.
    line: str = corpus.concordance("cat")[0]  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
    # A row that may have no trace.
    print(count, line, [trace.coverage for trace in corpus.trace_many(["cat"])])  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]
