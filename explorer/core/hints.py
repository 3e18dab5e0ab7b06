"""What to do about an error: tables of rows, found by the error's names.

`REMEDIES` holds what is the same wherever an error is shown: copy a file again, check a path. What an option can do is
in `explorer.cli.hints`, and what a button can do in `explorer.gui.presenting.hints`; a row there replaces the one with
its key in `REMEDIES`. A new hint is one row; the library shows none, since its errors carry `reason` and `option`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.errors import CorpusError
from explorer.i18n import mark, tr


@dataclass(frozen=True)
class Hint:
    """What to do about the errors with a name.

    key: A reason, option or outcome of an error, or the name of its class.
    text: A sentence, marked with `mark`; it may use the error's fields. "" for none.
    offers: Names of the controls that apply the remedy, for a surface that has such.
    """

    key: str
    text: str = ""
    offers: tuple[str, ...] = ()


_SYNTAX = mark(
    "An expression can contain . [abc] [^a-z] \\w \\d \\s \\b \\B ( ) | * + ? {{2,3}} (?i), and \\ before a sign that "
    "means itself. To find the text as it is, search for it as text."
)

REMEDIES = (
    # A class: the remedy of all damage whose reason has no row of its own.
    Hint("DamagedIndexError", mark("Copy the index again, or rebuild it.")),
    Hint("a-device", mark("Give files, folders or pipes.")),
    Hint("add-under-way", mark("Wait for it, and add again.")),
    Hint("bad-folder-name", mark("Give the folder a name.")),
    Hint("bad-limit", mark("Leave it out for exact counts.")),
    Hint("bad-row", mark("Fix the line.")),
    Hint("build-under-way", mark("Wait for it, or choose another folder.")),
    Hint("cache-unwritable", mark("Set CORPUS_EXPLORER_CACHE to a folder of yours, on a disk with room.")),
    Hint("cannot-add", mark("Build an index of the new documents with the same tokenizer, and open both.")),
    Hint("cannot-move", mark("Choose a folder inside it, such as {inside}.")),
    Hint("cannot-open-with", mark("Open it by itself, without choosing anything else.")),
    Hint("cannot-resume", mark("Build it again from the beginning.")),
    Hint("cannot-subtract", mark("Build an index that contains only the documents to leave out.")),
    Hint("damaged-download", mark("Open the index again.")),
    Hint("disk-full", mark("Free some space, or choose another disk.")),
    Hint("document-too-long", mark("Split the document.")),
    Hint("drive-failed", mark("Check the drive, and open the index again.")),
    Hint("empty-clause", mark("Give at least one n-gram per clause.")),
    Hint("file-changed", mark("Open the index again.")),
    Hint("file-gone", mark("Connect its drive again, and open the index again.")),
    Hint("folder-in-the-way", mark("Move it, or choose another folder.")),
    Hint("folder-is-source", mark("Choose another folder for the index.")),
    Hint("folder-not-empty", mark("Choose a new folder, or remove it first.")),
    Hint("hub-gated", mark("Accept them at {page}, and run hf auth login, or set HF_TOKEN.")),
    Hint("hub-needs-token", mark("Run hf auth login, or set HF_TOKEN.")),
    Hint("hub-refused", mark("Run hf auth login, or set HF_TOKEN to a token that gives access.")),
    Hint("hub-stopped", mark("Do the same again.")),
    Hint("input-damaged", mark("Download it again.")),
    Hint("kinds-differ", mark("Open them one by one.")),
    Hint("line-too-long", mark("Split the file into lines.")),
    Hint("list-too-long", mark("Give a shorter list.")),
    Hint("lone-surrogate", mark("Delete it.")),
    Hint("long-cell", mark("Write CSV, TSV or JSON Lines instead.")),
    Hint(
        "manifest-unreadable",
        mark("Delete it to open the folder as a plain infini-gram index, or rebuild the index."),
    ),
    Hint("metadata-not-json", mark("Rebuild the index.")),
    Hint("metadata-of-records", mark("Add the fields to the records.")),
    Hint("mixed-shards", mark("Keep one index per folder.")),
    Hint("mount-point", mark("Choose a folder inside it, such as {inside}.")),
    Hint("nested-set", mark("Write \\[ for a bracket, and other signs of a set once.")),
    Hint("newer-format", mark("Update the program.")),
    Hint("no-arrow-stream", mark('Give its rows as mappings, such as df.to_dict("records").')),
    Hint("no-document-left", mark("Change the condition.")),
    Hint("no-folder", mark("Check the path, or build an index there.")),
    Hint("no-index", mark("Name at least one index folder.")),
    Hint("no-metadata-column", mark("Name one of the columns.")),
    Hint("no-row-matches", mark("Give paths relative to the source folder.")),
    Hint("no-source", mark("Check the path of the source.")),
    Hint("no-standard-input", mark("Name a file instead.")),
    Hint("no-text", mark("Give files or folders with plain text, source code, JSONL or Parquet.")),
    Hint("no-tokenizer-file", mark("Add the tokenizer.json that it was built with.")),
    Hint("no-tokens", mark("Rebuild it from its sources.")),
    Hint("no-tokens-given", mark("Give at least one token.")),
    Hint("not-a-condition", mark('Write FIELD=VALUE, or use one of {signs} instead of "=".')),
    Hint("not-a-folder", mark("Give the folder that holds tokenized.0.")),
    Hint("not-a-source", mark("Give paths, a list of mappings, or a table.")),
    Hint("not-a-table", mark("Give a CSV or TSV file.")),
    Hint("not-a-tokenizer", mark("Give a Hugging Face tokenizer.json.")),
    Hint("not-an-index", mark("Open a folder that has one, or build an index from these files first.")),
    Hint("not-of-and", mark("Write AND NOT … for each phrase.")),
    Hint("not-utf-8", mark("Convert it to UTF-8 first.")),
    Hint("not-without-and", mark("Write … AND NOT …, or put the phrase in quotes.")),
    Hint("only-not", mark("Write … AND NOT …")),
    Hint("pattern-unsupported", _SYNTAX),
    Hint("not-an-expression", _SYNTAX),
    Hint("pattern-matches-empty-text", mark("Change it so that it matches at least one character.")),
    Hint("pattern-too-complex", mark("Use fewer repeats and alternatives.")),
    Hint("pattern-too-long", mark("Shorten it, or repeat less.")),
    Hint("picture-too-large", mark("Choose a smaller size or resolution, or SVG or PDF, which have no pixels.")),
    Hint("read-once", mark("Give a list.")),
    Hint("row-twice", mark("Keep one row per file.")),
    Hint("sample-unwritable", mark("Set CORPUS_EXPLORER_DATA to a folder of yours.")),
    Hint("single-mapping", mark("Give a list of mappings, one per document.")),
    Hint("token-outside-vocabulary", mark("Give the tokenizer that the index was built with.")),
    Hint("token-widths-differ", mark("Open them one by one.")),
    Hint("tokenizer-changed", mark("Build again.")),
    Hint("tokenizer-unknown", mark("Open it with the tokenizer.json that it was built with.")),
    Hint("tokenizers-differ", mark("Open them one by one, or build them with one tokenizer.")),
    Hint("too-broad", mark("Make it more precise.")),
    Hint("too-many-lines", mark("Write CSV instead.")),
    Hint("too-many-tokens-left-out", mark("Build an index of them, and subtract it.")),
    Hint("unknown-ending", mark("Give the file one of these endings.")),
    Hint("unknown-sort-key", mark("Use right, left, index, random, {names}, document or field:NAME.")),
    # For files of all kinds. A path may be wrong, a drive gone, and a permission missing; the cause is in the sentence.
    Hint("unknown-length", mark("Give a list, or a memory limit.")),
    Hint("unreadable", mark("Check the path, its drive and its permissions.")),
    Hint("unwritable", mark("Choose another location.")),
)
"""What to do about errors on every surface, by their names in order."""


def with_remedies(rows: Sequence[Hint]) -> tuple[Hint, ...]:
    """Complete the hints of a surface.

    Returns: These and the rows of `REMEDIES` whose keys are not among them, by their keys.
    """
    # A surface knows its own means better than a sentence for all.
    own = {row.key for row in rows}
    # One row per key, so that a lookup never depends on the order of the two tables.
    return tuple(sorted([*rows, *(row for row in REMEDIES if row.key not in own)], key=lambda row: row.key))


def hints_for(error: CorpusError, rows: Sequence[Hint]) -> tuple[Hint, ...]:
    """Find the hints for an error.

    Returns: The row of its reason, or else of its option, or else of its class; and that of its outcome.
    """
    known = {row.key: row for row in rows}
    # The narrowest name first: a reason may need a remedy of its own (a file that is gone: its drive), where its class
    # has one for all others.
    what = known.get(error.reason) or known.get(error.option) or known.get(type(error).__name__)
    # What came of it has a remedy beside that of the cause: the kept part of a build can be resumed.
    return tuple(row for row in (what, known.get(error.outcome)) if row is not None)


def with_hints(error: CorpusError, rows: Sequence[Hint]) -> str:
    """Write an error's sentence, and after it what to do.

    Examples
    --------
    >>> from explorer.errors import QueryError
    >>> with_hints(QueryError("Nothing was asked.", reason="empty"), [Hint("empty", "Type a word.")])
    'Nothing was asked. Type a word.'
    """
    # The fields of the error: a remedy may name its folder. A row without a text has only buttons.
    told = [tr(row.text, **error.fields) for row in hints_for(error, rows) if row.text]
    return " ".join([str(error), *told])


def offers_for(error: CorpusError, rows: Sequence[Hint]) -> tuple[str, ...]:
    """Name the controls to show beside an error."""
    return tuple(name for row in hints_for(error, rows) for name in row.offers)
