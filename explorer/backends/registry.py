"""Every kind of index: one row here, and one file that opens it as a backend.

The library, the command line and the window open whatever a row claims. To add a kind, write its file and add its row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from explorer.backends.local.open import open_folders
from explorer.backends.merged.opening import open_several
from explorer.backends.protocol.protocol import Backend
from explorer.backends.request import IndexRequest
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.errors import QueryError
from explorer.http.wire.buckets import is_bucket
from explorer.http.wire.hub import is_hub
from explorer.i18n import mark
from explorer.index.fm.layout import looks_compressed
from explorer.index.layout import looks_like_index

DEMANDS = {
    "token": mark("{source} is not on a server, so it takes no token."),
    "tokenizer": mark("{source} has its own tokenizer."),
    "minus": mark("Documents cannot be subtracted from {source}."),
    "reversed_text": mark("The direction of {source} cannot be chosen."),
    "partial": mark("Only an index on a cluster can be partial, and {source} is in one place."),
}
"""What a request may demand that not every kind can do, and the error where it cannot."""


@dataclass(frozen=True)
class BackendKind:
    """One kind of index.

    id: Its name for programs; unique.
    claims: Tells whether a folder or address is of this kind, from names alone: the window asks while it shows a drop.
    open: Opens what a request names, on any thread. Raises `CorpusError` if it cannot, `Cancelled` if it was cancelled.
    takes: The demands that it can meet: names of `DEMANDS`; "several" if it opens several sources itself; "any minus"
        if what is subtracted may be of any kind; "whole" if it opens requests with sources of other kinds, too.
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

        Returns: The first row that claims it, if there is one.
        """
        return next((row for row in self.rows if row.claims(source)), None)

    def open(self, request: IndexRequest, report: Report = no_report, cancel: CancelToken | None = None) -> Backend:
        """Open an index of any kind.

        request: What to open. Sources of several kinds, and several of a kind that opens one, are asked as one index.
        Raises `QueryError` if a kind cannot do what the request demands, or their tokenizers differ.
        """
        if (whole := self._of_whole(request)) is not None:
            if all(self.claiming(source) is whole for source in request.sources):
                _check_demands(whole, request)
            return whole.open(request, report, cancel)
        groups = self._groups(request.sources)
        if len(groups) < 2:
            kind = self._kind_of(request)
            # Before anything is read: a demand that cannot be met must not cost the time of opening.
            _check_demands(kind, request)
            return kind.open(request, report, cancel)
        if request.minus:
            raise _refusal("minus", request.sources[0])
        requests = [replace(request, sources=tuple(group)) for group in groups]
        for each in requests:
            _check_demands(self._kind_of(each), each)
        return open_several(requests, lambda each: self._kind_of(each).open(each, report, cancel), request, open_index)

    def _of_whole(self, request: IndexRequest) -> BackendKind | None:
        """The kind of a source that opens the whole request, if there is one."""
        kinds = map(self.claiming, (*request.sources, *request.minus))
        return next((kind for kind in kinds if kind is not None and "whole" in kind.takes), None)

    def _kind_of(self, request: IndexRequest) -> BackendKind:
        """The kind of the sources of a request, which is mostly also that of what is subtracted."""
        # A source that nobody claims goes to the first row, whose errors explain what an index folder must hold.
        kinds = [(self.claiming(source) or self.rows[0], source) for source in request.sources]
        if not kinds or "any minus" not in kinds[0][0].takes:
            kinds += [(self.claiming(source) or self.rows[0], source) for source in request.minus]
        for kind, source in kinds:
            if kind is not kinds[0][0]:
                raise QueryError(
                    mark("{source} and {other} are different kinds of index."),
                    reason="kinds-differ",
                    source=kinds[0][1],
                    other=source,
                )
        return kinds[0][0] if kinds else self.rows[0]

    def _groups(self, sources: Sequence[str]) -> list[list[str]]:
        """Neighbors that one row opens together; each other source by itself."""
        groups: list[list[str]] = []
        before: BackendKind | None = None
        for source in sources:
            kind = self.claiming(source) or self.rows[0]
            if kind is before and "several" in kind.takes:
                groups[-1].append(source)
            else:
                groups.append([source])
            before = kind
        return groups


def _check_demands(kind: BackendKind, request: IndexRequest) -> None:
    # In a fixed order, so that the same request always gives the same sentence.
    for demand in sorted(request.demands - kind.takes):
        raise _refusal(demand, request.sources[0])


def _refusal(demand: str, source: str) -> QueryError:
    return QueryError(DEMANDS[demand], reason="cannot-open-with", source=source, demand=demand)


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


def _open_published(request: IndexRequest, report: Report, cancel: CancelToken | None) -> Backend:
    from explorer.backends.hub.opening import downloaded

    return open_index(downloaded(request, report, cancel), report, cancel)


def _open_compressed(request: IndexRequest, report: Report, cancel: CancelToken | None) -> Backend:
    from explorer.backends.fm.opening import open_compressed

    return open_compressed(request, report, cancel)


def _claims_cluster(source: str) -> bool:
    # A file that lists a cluster's folders, or the address of its scheduler.
    return source.lower().startswith(("tcp://", "tls://")) or source.lower().endswith(".cluster.json")


def _open_cluster(request: IndexRequest, report: Report, cancel: CancelToken | None) -> Backend:
    from explorer.backends.cluster.opening import open_cluster

    return open_cluster(request, report, cancel, open_index)


BACKENDS = BackendKinds(
    BackendKind(
        "shards", looks_like_index, open_folders, takes=frozenset({*DEMANDS, "several"}) - {"token", "partial"}
    ),
    BackendKind("compressed", looks_compressed, _open_compressed, takes=frozenset({"several", "tokenizer"})),
    BackendKind("service", _claims_service, _open_service, takes=frozenset({"token", "tokenizer"})),
    BackendKind("bucket", _claims_bucket, _open_bucket, takes=frozenset({"token", "tokenizer", "reversed_text"})),
    # What is downloaded is a folder, so all that folders can do is asked of that.
    BackendKind("hub", is_hub, _open_published, takes=frozenset({*DEMANDS, "whole"}) - {"token", "partial"}),
    BackendKind(
        "cluster", _claims_cluster, _open_cluster, takes=frozenset({"tokenizer", "minus", "any minus", "partial"})
    ),
)


def open_index(request: IndexRequest, report: Report = no_report, cancel: CancelToken | None = None) -> Backend:
    """Open an index of any kind: see `BackendKinds.open`."""
    return BACKENDS.open(request, report, cancel)
