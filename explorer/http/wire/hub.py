"""Addresses of data sets and indexes on the Hugging Face hub, such as hf://datasets/OWNER/NAME. Nothing is sent."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote, unquote

SCHEME = "hf://"
_DATASETS = "datasets/"
_NAME = re.compile(r"(?:\w[\w.-]{0,95}/)?\w[\w.-]{0,95}", re.ASCII)
_REVISION = re.compile(r"[\w.+-]+(?:/[\w.+-]+)*", re.ASCII)
# The slashes of a branch are written as %2F; the hub's own names of branches are understood without this.
_PARTS = re.compile(
    r"(?P<owner>[^/@:]+)(?:/(?P<name>[^/@:]+))?"
    r"(?:@(?P<revision>refs/(?:convert|pr)/[^/@:]+|[^/@:]+))?"
    r"(?:/(?P<config>[^/@:]+))?(?::(?P<split>[^/@:]+))?"
)
_COMMIT = re.compile(r"[0-9a-f]{40}")
CONVERTED = "refs/convert/parquet"
"""The branch on which the hub keeps a data set as Parquet files."""


@dataclass(frozen=True)
class HubAddress:
    """A repository of the hub, or a part of a data set there.

    name: OWNER/NAME; some old data sets have no owner.
    is_dataset: Whether it is a repository of data sets; otherwise one of models.
    revision: A branch, a tag or a commit; "" for the usual branch.
    config: The configuration of a data set; "" for the usual one.
    split: The split of a data set; "" for all.
    """

    name: str
    is_dataset: bool = False
    revision: str = ""
    config: str = ""
    split: str = ""

    def __str__(self) -> str:
        revision = "" if not self.revision else f"@{quote(self.revision, safe='')}"
        if self.revision.startswith(("refs/convert/", "refs/pr/")):
            revision = f"@{self.revision}"
        config = f"/{self.config}" if self.config else ""
        split = f":{self.split}" if self.split else ""
        return f"{SCHEME}{_DATASETS if self.is_dataset else ''}{self.name}{revision}{config}{split}"

    @property
    def repository(self) -> HubAddress:
        """The repository as a whole, at its revision."""
        return replace(self, config="", split="")

    @property
    def kind(self) -> str:
        """What the hub's interface calls this kind of repository, in the plural."""
        return "datasets" if self.is_dataset else "models"

    @property
    def is_pinned(self) -> bool:
        """Whether the revision is a commit, whose files never change."""
        return _COMMIT.fullmatch(self.revision) is not None


def is_hub(source: str | Path) -> bool:
    """Whether a source is an address of the hub.

    source: The source. A path turns the two slashes of an address into one, which is understood.

    Examples
    --------
    >>> is_hub("hf://datasets/owner/name"), is_hub(Path("hf://owner/name")), is_hub("hf/owner")
    (True, True, False)
    """
    return _spelled(source).lower().startswith(SCHEME)


def shown_source(source: str | Path) -> str:
    """Write a source as people give it: an address with both slashes, and a path as it is."""
    return _spelled(source) if is_hub(source) else str(source)


def absolute_source(source: Path) -> Path:
    """A source that means the same in every folder."""
    return source if is_hub(source) else source.absolute()


def read_hub(source: str | Path) -> HubAddress | None:
    """Read an address of the hub.

    Returns: The address; None if it is not one.

    Examples
    --------
    >>> read_hub("hf://datasets/owner/news@v1/en:train")
    HubAddress(name='owner/news', is_dataset=True, revision='v1', config='en', split='train')
    >>> read_hub("hf://owner/../secret") is None
    True
    """
    if not is_hub(source):
        return None
    rest = _spelled(source)[len(SCHEME) :].rstrip("/")
    is_dataset = rest.lower().startswith(_DATASETS)
    found = _PARTS.fullmatch(rest[len(_DATASETS) :] if is_dataset else rest)
    if found is None:
        return None
    name = "/".join(filter(None, (found["owner"], found["name"])))
    revision, config, split = (unquote(found[part] or "") for part in ("revision", "config", "split"))
    if not _is_name(name) or (revision and not _is_revision(revision)):
        return None
    # A model has no parts, and nobody has the name of a page of the hub.
    if not is_dataset and (config or split or found["name"] is None or found["owner"] in ("models", "spaces")):
        return None
    return HubAddress(name, is_dataset, revision, config, split)


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and ".." not in name and "--" not in name


def _is_revision(revision: str) -> bool:
    return _REVISION.fullmatch(revision) is not None and ".." not in revision


def _spelled(source: str | Path) -> str:
    text = source.as_posix() if isinstance(source, Path) else source
    if isinstance(source, Path) and text.lower().startswith("hf:/") and not text.lower().startswith(SCHEME):
        return SCHEME + text[len("hf:/") :]
    return text
