"""Every kind of index: one row here, and one file that opens it as a backend.

The library, the command line and the window open whatever a row claims. To add a kind, write its file and add its row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from explorer.backends.open import open_folders
from explorer.backends.protocol import Backend
from explorer.backends.request import IndexRequest
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.index.fm.layout import looks_compressed
from explorer.index.layout import looks_like_index
from explorer.jobs import CancelToken, Report, no_report
from explorer.wire.buckets import is_bucket

DEMANDS = {
    "several": mark("{source} cannot be combined with other indexes."),
    "token": mark("{source} is not on a server, so it takes no token."),
    "tokenizer": mark("{source} has its own tokenizer."),
    "minus": mark("Documents cannot be subtracted from {source}."),
    "reversed_text": mark("The direction of {source} cannot be chosen."),
}
"""What a request may demand that not every kind can do, and the error where it cannot."""


@dataclass(frozen=True)
class BackendKind:
    """One kind of index.

    Attributes
    ----------
    id
        Its name for programs; unique.
    claims
        Tells whether a folder or address is of this kind, from names alone: the window asks while it shows a drop.
    open
        Opens what a request names, on any thread. Raises `CorpusError` if it cannot, `Cancelled` if it was cancelled.
    takes
        The demands that it can meet: names of `DEMANDS`.
    """

    id: str
    claims: Callable[[str], bool]
    open: Callable[[IndexRequest, Report, CancelToken | None], Backend]
    takes: frozenset[str] = frozenset()


class BackendKinds:
    """The kinds of index, in the order in which they are asked whether a source is theirs."""

    def __init__(self, *rows: BackendKind) -> None:
        self.rows = rows

    def __iter__(self) -> Iterator[BackendKind]:
        return iter(self.rows)

    def claiming(self, source: str) -> BackendKind | None:
        """Find the kind of a source.

        Parameters
        ----------
        source
            A folder or an address.

        Returns
        -------
        BackendKind or None
            The first row that claims it, if there is one.
        """
        return next((row for row in self.rows if row.claims(source)), None)

    def open(self, request: IndexRequest, report: Report = no_report, cancel: CancelToken | None = None) -> Backend:
        """Open an index of any kind.

        Parameters
        ----------
        request
            What to open. All its sources, and what is subtracted, must be of one kind.
        report
            Called with the progress.
        cancel
            Stops the work.

        Returns
        -------
        Backend
            The index.

        Raises
        ------
        QueryError
            If the sources are of several kinds, or if theirs cannot do what the request demands.
        CorpusError
            If the index cannot be opened.
        Cancelled
            If it was cancelled.
        """
        # Before anything is read: a demand that cannot be met must not cost the time of opening.
        kind = self._kind_of(request)
        # In a fixed order, so that the same request always gives the same sentence.
        for demand in sorted(request.demands - kind.takes):
            raise QueryError(DEMANDS[demand], reason="cannot-open-with", source=request.sources[0], demand=demand)
        return kind.open(request, report, cancel)

    def _kind_of(self, request: IndexRequest) -> BackendKind:
        """The one kind of all sources of a request."""
        # A source that nobody claims goes to the first row, whose errors explain what an index folder must hold.
        kinds = [(self.claiming(source) or self.rows[0], source) for source in (*request.sources, *request.minus)]
        for kind, source in kinds:
            # A sum of different kinds would be made here.
            if kind is not kinds[0][0]:
                raise QueryError(
                    mark("{source} and {other} are different kinds of index."),
                    reason="kinds-differ",
                    source=kinds[0][1],
                    other=source,
                )
        return kinds[0][0] if kinds else self.rows[0]


def _claims_service(source: str) -> bool:
    return source.lower().startswith(("http://", "https://")) and "#" in source


def _open_service(request: IndexRequest, report: Report, cancel: CancelToken | None) -> Backend:
    # Only here: whoever opens folders does not wait for the modules of connections.
    from explorer.backends.remote.opening import open_remote

    return open_remote(request, report, cancel)


def _claims_bucket(source: str) -> bool:
    return "#" not in source and (is_bucket(source) or source.lower().startswith(("http://", "https://")))


def _open_bucket(request: IndexRequest, report: Report, cancel: CancelToken | None) -> Backend:
    from explorer.backends.bucket.opening import open_bucket

    return open_bucket(request, report, cancel)


def _open_compressed(request: IndexRequest, report: Report, cancel: CancelToken | None) -> Backend:
    from explorer.backends.fm.opening import open_compressed

    return open_compressed(request, report, cancel)


BACKENDS = BackendKinds(
    BackendKind("shards", looks_like_index, open_folders, takes=frozenset(DEMANDS) - {"token"}),
    BackendKind("compressed", looks_compressed, _open_compressed, takes=frozenset({"several", "tokenizer"})),
    BackendKind("service", _claims_service, _open_service, takes=frozenset({"token", "tokenizer"})),
    BackendKind("bucket", _claims_bucket, _open_bucket, takes=frozenset({"token", "tokenizer", "reversed_text"})),
)
