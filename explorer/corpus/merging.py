"""Merging indexes into one folder, all of their documents or those that meet a condition."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from explorer.analyses.metadata.fields import FieldColumns
from explorer.backends.request import Sources, TokenizerChoice, as_sources
from explorer.building.merging import Manifest, MergeRequest, merge_folders
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_job
from explorer.corpus.search.where import Where, chosen_documents, conditions


@checks_job
def merge_indexes(
    indexes: Sources,
    out: str | PathLike[str],
    *,
    where: Where | None = None,
    tokenizer: TokenizerChoice = None,
    memory: float = 0,
    name: str = "",
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Manifest:
    """Make one index folder from several, without tokenizing again.

    Parameters
    ----------
    indexes
        The folders of the indexes, which must have the same tokenizer and as many bytes per token. A single one, with
        `where`, becomes an index of some of its documents.
    out
        The folder of the new index; it must not exist, or be empty.
    where
        Keeps only the documents that meet all of these conditions: "year>=2020", a list of such, or a mapping from
        fields to a value or to several, such as {"source": {"a", "b"}}. None keeps all.
    tokenizer
        The tokenizer of folders that contain none, as indexes of the infini-gram package do.
    memory
        Bytes that the sort of chosen documents may use; a smaller limit makes more shards. 0: no limit.
    name
        What to call the index; "" for the name of its folder.
    report
        Called with the progress, on this thread.
    cancel
        Cancels the work; nothing is left then.

    Returns
    -------
    Manifest
        The contents of the new `index.json`.

    Raises
    ------
    TokenizerError
        If the indexes have different tokenizers, or tokens of different widths.
    QueryError
        If an index is given twice, or a condition names a field that no document has.
    BuildError
        If no document meets the conditions, or the folder cannot be written.

    Notes
    -----
    Documents keep their order. Without `where` the files are copied, which takes as long as copying, and the new index
    has as many shards as the others together. With it, the chosen documents are written to new shards and sorted,
    which takes about ten bytes of memory per token.

    Examples
    --------
    >>> made = merge_indexes([folder], folder.with_name("later"), where="year>=1995")
    >>> made.document_count, made.parameters["where"]
    (2, ['year>=1995'])
    """
    if where is not None:
        # What cannot be read is refused before the indexes are opened.
        conditions(where)
    request = MergeRequest(
        folders=tuple(map(Path, as_sources(indexes))),
        out=Path(out),
        keep=None
        if where is None
        else lambda index, tell, stop: chosen_documents(index, FieldColumns(index), where, tell, stop),
        chosen_by=() if where is None else _shown(where),
        tokenizer=tokenizer,
        memory=memory,
        name=name,
    )
    return merge_folders(request, report, cancel)


def _shown(where: Where) -> tuple[str, ...]:
    """The conditions as `index.json` records them: as they were given, if they are texts."""
    if isinstance(where, str):
        return (where,)
    return tuple(map(str, conditions(where) if isinstance(where, Mapping) else where))
