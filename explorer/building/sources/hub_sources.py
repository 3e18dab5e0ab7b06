"""Data sets of the Hugging Face hub as sources of a build: their files are read over the network, in parts."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from explorer.building.request import BuildRequest
from explorer.building.sources.hub_layout import Choice, choose_files
from explorer.building.sources.source import NO_DATA, ReadState, SourceFile
from explorer.errors import SourceError
from explorer.http.errors import RemoteError
from explorer.http.hub import Repository, endpoint, find_repository, hub_address, list_repository
from explorer.http.hub_file import HubSource
from explorer.http.wire.hub import CONVERTED, HubAddress, is_hub, shown_source
from explorer.i18n import mark, tr

PARTIAL = mark("data sets of which the hub has converted the beginning only")


def pinned(request: BuildRequest) -> BuildRequest:
    """Put the commit into each address of the hub, so that the index records what it was made of.

    Returns: The build, with the same sources at their present commits.
    Raises `SourceError` if a data set has no such part, or no data.
    Raises `RemoteError` if the hub does not give it.
    """
    sources = tuple(Path(str(_chosen(source)[0])) if is_hub(source) else source for source in request.sources)
    return replace(request, sources=sources)


def hub_files(source: Path, state: ReadState) -> list[SourceFile]:
    """List the data files of a data set.

    state: Receives a note about each file of the repository without data.
    Returns: The files, at the commit to which the address leads now.
    Raises `SourceError` if the data set has no such part, or no data.
    Raises `RemoteError` if the hub does not give it.
    """
    address, choice = _chosen(source)
    for other in choice.others:
        state.note(NO_DATA, f"{address.repository}/{other.name}")
    if choice.is_partial:
        state.note(PARTIAL, str(address), reason=tr("the hub converts the first gigabytes of a large data set"))
    far = [HubSource(address.repository, file) for file in choice.files]
    return [SourceFile(Path(each.address), each.file.name, each.file.size, far=each) for each in far]


def _chosen(source: Path) -> tuple[HubAddress, Choice]:
    """The address with its commit, and what is read there."""
    address = hub_address(shown_source(source))
    if not address.is_dataset:
        raise SourceError(
            mark("{source} is a repository of models. Data sets have addresses such as hf://datasets/OWNER/NAME."),
            reason="no-data-set",
            source=address,
        )
    found = _listed(address)
    choice = choose_files(found, address.config, address.split)
    # The hub converts the usual branch only.
    if not choice.files and not address.revision and (converted := _converted(address)) is not None:
        found, choice = converted, choose_files(converted, address.config, address.split)
    if not choice.files:
        raise SourceError(
            mark("{source} has no files with data that can be read."), reason="hub-no-data", source=address
        )
    return replace(found.address, config=address.config, split=address.split), choice


def _listed(address: HubAddress) -> Repository:
    whole = address.repository
    return _listed_at(whole if whole.is_pinned else find_repository(whole).address, endpoint())


@lru_cache(maxsize=8)
def _listed_at(address: HubAddress, _: str) -> Repository:
    # A commit of a hub never changes: the estimate, the record of the sources and the build need one listing.
    return list_repository(address)


def _converted(address: HubAddress) -> Repository | None:
    """The data as the hub converted them; None if it did not."""
    try:
        return _listed(replace(address.repository, revision=CONVERTED))
    except RemoteError as error:
        if error.reason in ("hub-no-revision", "hub-refused"):
            return None
        raise
