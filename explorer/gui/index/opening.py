"""Opening an index off the interface thread, and what a session keeps of it. Without Qt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.building.own_places import sample_is_built
from explorer.core.files.paths import is_folder
from explorer.errors import Cancelled, CorpusError
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.remote.hosts import host_of
from explorer.i18n import counted, mark, tr

if TYPE_CHECKING:
    from explorer.core.jobs import CancelToken, Report
    from explorer.corpus import Corpus

_MOST_KEPT = 2_000_000
"""Characters of a text that a session keeps."""


def open_corpus(request: OpenRequest, report: Report, cancel: CancelToken) -> Corpus:
    """Open an index, or build and open the sample. Runs off the interface thread.

    Returns: The opened index; its metadata fields are known.
    Raises `CorpusError` if it cannot be opened or built.
    """
    # Here and not at the top: the window is shown without them, and this thread imports them.
    from explorer.backends.registry import BACKENDS
    from explorer.backends.request import IndexRequest
    from explorer.building.process import build_sample_in_process
    from explorer.core.files.mapped import enable_fault_guard
    from explorer.corpus import Corpus

    # A file that is truncated during a query must not end the process, however the window was started.
    enable_fault_guard()
    if request.sample and not sample_is_built():
        build_sample_in_process(report, cancel)
    asked = IndexRequest(
        request.paths,
        request.tokenizer,
        request.minus,
        check_fit=request.check_fit,
        allow_remote=request.allow_remote,
        token=token_of(request.token, request.token_file),
    )
    _check_hub(request)
    corpus = Corpus(BACKENDS.open(asked, report, cancel))
    # Screens ask for the fields at once; for an index from another program, documents must be read to find them.
    _ = corpus.metadata_fields
    # And for the size of the vocabulary, which reads all of its words.
    if corpus.index.has_tokenizer:
        _ = corpus.index.tokenizer.vocabulary_size
    return corpus


def _check_hub(request: OpenRequest) -> None:
    """Raise RemoteError for an index of the hub, unless the user agreed: a project or a session may name it."""
    # Here and not at the top: the module comes with connections.
    from explorer.http.wire.hub import is_hub

    named = next(filter(is_hub, (*request.paths, *request.minus)), None)
    if named is None or request.allow_remote:
        return
    # Here and not at the top: these modules come with connections.
    from explorer.http.errors import RemoteError

    raise RemoteError(
        mark("The index {address} is downloaded from the Hugging Face hub, and then opened here. Nothing was sent."),
        reason="downloads-index",
        option="allow_remote",
        host=host_of(named),
        address=named,
    )


def token_of(token: str, file: str) -> str | None:
    """The token for a server.

    token: The token as it was typed; "" for none.
    file: The file that holds it; "" for none. It is read each time, since another token may be in it by now.
    Returns: The token; None if neither is given.
    Raises `TokenError` if the file cannot be used.
    """
    if token or not file:
        return token or None
    from explorer.serve.token import read_token

    return read_token(Path(file))


def open_or_stop(request: OpenRequest, report: Report, cancel: CancelToken) -> Corpus | None:
    """Open an index as `open_corpus` does; None if it was asked to stop.

    Raises `CorpusError` if it cannot be opened or built.
    """
    try:
        return open_corpus(request, report, cancel)
    except Cancelled:
        # A runner answers nobody about work that ended this way, and the window has to know that it did.
        return None


def describe_corpus(corpus: Corpus) -> str:
    """The facts of an open index in one line, without its name, which the top of the window has."""
    return tr(
        "{token_count}  ·  {document_count}  ·  {tokenizer}",
        token_count=counted("token", corpus.token_count),
        document_count=counted("document", corpus.document_count),
        tokenizer=corpus.index.tokenizer.name if corpus.index.has_tokenizer else tr("no tokenizer"),
    )


def is_offline(corpus: Corpus | None) -> bool:
    """Whether only answers that were kept can be shown, because the service did not answer at opening."""
    # Only indexes that are asked over a network and keep answers can be in this state.
    return corpus is not None and bool(getattr(corpus.index, "is_offline", False))


def check_files(corpus: Corpus) -> CorpusError | None:
    """What is wrong with the files of an open index, if anything."""
    try:
        corpus.index.check_storage()
    except CorpusError as error:
        return error
    return None


def short(session: dict[str, Any]) -> dict[str, Any]:
    """A session without very long texts: the settings file is written again with every change."""
    return {key: value for key, value in session.items() if not isinstance(value, str) or len(value) <= _MOST_KEPT}


def request_of(session: dict[str, Any]) -> OpenRequest | None:
    """What a session had open, if it is still there."""
    paths, minus, tokenizer = session.get("paths"), session.get("minus", []), session.get("tokenizer")
    if not isinstance(paths, list) or not isinstance(minus, list) or not paths:
        return None
    if not all(isinstance(path, str) and _is_there(path) for path in (*paths, *minus)):
        return None
    file = session.get("token_file", "")
    if not isinstance(tokenizer, str | None) or not isinstance(file, str):
        return None
    # Only what a user has allowed: anything but False in a session is a check.
    check_fit = session.get("check_fit") is not False
    return OpenRequest(tuple(paths), tuple(minus), tokenizer, check_fit=check_fit, token_file=file)


def _is_there(source: str) -> bool:
    """Whether a source can be tried again: also a folder that lost its files, so that the error is shown."""
    if is_folder(Path(source)):
        return True
    from explorer.backends.registry import BACKENDS

    return BACKENDS.claiming(source) is not None
