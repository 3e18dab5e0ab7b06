"""Opening a corpus."""

from __future__ import annotations

from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest, Sources, TokenizerChoice, as_sources
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_job
from explorer.corpus.corpus import Corpus


@checks_job
def open_index(
    path_or_paths: Sources,
    tokenizer: TokenizerChoice = None,
    minus: Sources | None = None,
    *,
    check_fit: bool = True,
    reversed_text: bool | None = None,
    allow_same: bool = False,
    allow_remote: bool = False,
    token: str | None = None,
    insecure: bool = False,
    partial: bool = False,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Corpus:
    """Open an index; several infini-gram folders are combined, and the documents of `minus` are subtracted.

    Parameters
    ----------
    path_or_paths
        One index folder or several; or an address: "http://localhost:8765#NAME" of a service that speaks infini-gram's
        protocol, "https://HOST/FOLDER/" or "s3://BUCKET/FOLDER" of an index folder, which is read in parts,
        "hf://OWNER/NAME" of an index on the Hugging Face hub, which is downloaded; or what another row of
        `explorer.backends.registry` opens.
    tokenizer
        A tokenizer.json, "bytes", a tokenizer of the `tokenizers` or `transformers` library in memory, or None for the
        folder's own.
    minus
        Folders of documents to subtract. Each document removes one document with the same tokens, the first that is
        still left, from every answer. `Corpus.minus_unmatched` counts those that are not in the index.
    check_fit
        Whether to refuse a tokenizer that does not fit the index.
    reversed_text
        Whether documents are stored backwards (version 5). None: as in the manifest, or else detected with the
        tokenizer.
    allow_same
        Whether to count a folder, or a copy of it, once for each time it is given. Otherwise this is an error.
    allow_remote
        Whether queries may be sent to another machine, which may keep them, or an index folder there may be read. An
        address of this machine needs no permission.
    token
        What the server of an address asks for; None for nothing.
    insecure
        Whether the scheduler of a cluster may be on another machine without encryption (tcp://), so that anybody who
        reaches it can run programs there.
    partial
        Whether to leave out the folders of a cluster that no worker has. `Corpus.index.missing` names them from then
        on, and counts and numbers of lines are lower bounds; questions that have none fail. Otherwise this is an error.
    report
        Called with the progress, for example of the documents that are subtracted.
    cancel
        Stops the work.

    Returns
    -------
    Corpus
        The opened corpus.

    Raises
    ------
    CorpusError
        If a folder is not an index, is damaged, or does not fit the others or the tokenizer.
    QueryError
        If one index is given twice and not `allow_same`.
    Cancelled
        If it was cancelled.

    Notes
    -----
    Cost: with `minus`, one search for each of its documents; if only some of them are in the index, the tokens of the
    smaller part are sorted.

    Files are mapped, and their sizes are checked before queries, at most twice a second. A drive that fails in the
    middle of a query ends the process with SIGBUS, unless `explorer.enable_fault_guard()` was called: then the query
    raises DamagedIndexError.

    Examples
    --------
    >>> open_index(folder).count("cat sat")
    2
    """
    sources, less = as_sources(path_or_paths), as_sources(minus)
    # The registry chooses the backend by its sources; what it opens only gets the library's face here.
    request = IndexRequest(
        sources, tokenizer, less, check_fit, reversed_text, allow_same, allow_remote=allow_remote, token=token,
        insecure=insecure, partial=partial,
    )  # fmt: skip
    return Corpus(BACKENDS.open(request, report, cancel))
