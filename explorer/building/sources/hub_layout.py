"""Which files of a repository are the data of a configuration and a split: by its card, or else by names of folders.

The rules are those by which the package datasets loads a repository without a script.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.core.files.streams import inner_name
from explorer.documents.kinds import KINDS, PLAIN, kind_by_name
from explorer.errors import SourceError
from explorer.http.hub import HubFile, Repository
from explorer.i18n import mark

_DEFAULT, _TRAIN = "default", "train"
_SPLITS = {
    _TRAIN: ("train", "training"),
    "validation": ("validation", "valid", "dev", "val"),
    "test": ("test", "testing", "eval", "evaluation"),
}
"""The words in names of folders and files that mean a split."""
_NO_DATA = ("readme.md", "config.json", "dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json")
_OF_EACH = (".gitattributes", "README.md")
"""Files that every repository has: nobody expects to find them among the data."""
_NUMBERED = re.compile(r"(?P<split>\w+(?:\.\w+)*)-\d{5}-of-\d{5}", re.ASCII)
_CONVERTED = re.compile(r"(?P<config>[^/]+)/(?P<partial>partial-)?(?P<split>[^/]+)/\d{4}\.parquet")
_WORD = re.compile(r"[a-z0-9]+")
_SHOWN = 20


@dataclass(frozen=True)
class Choice:
    """What is read of a repository.

    files: The data files, in the order in which they are read.
    others: The files without data; none if the card names the data files.
    is_partial: Whether the hub has converted the beginning of the data only.
    """

    files: tuple[HubFile, ...] = ()
    others: tuple[HubFile, ...] = ()
    is_partial: bool = False


@dataclass(frozen=True)
class _Config:
    """A configuration: its data files by split."""

    splits: Mapping[str, tuple[HubFile, ...]]
    others: tuple[HubFile, ...] = ()
    is_partial: bool = False


def choose_files(found: Repository, config: str = "", split: str = "") -> Choice:
    """Choose the data files of a repository.

    config: The configuration; "" for the usual one.
    split: The split; "" for all.
    Returns: The files; none if the repository has no data files.
    Raises `SourceError` if it has no such configuration or split, or has several configurations and none is the usual
        one.
    """
    configs, usual = _configs(found)
    if not configs:
        return Choice(others=found.files)
    chosen = configs[_chosen(found, configs, config or usual)]
    if split and split not in chosen.splits:
        raise _unknown(found, mark("{address} has no split {name}. It has: {names}."), split, chosen.splits)
    kept = [split] if split else list(chosen.splits)
    files = dict.fromkeys(file for name in kept for file in chosen.splits[name])
    return Choice(tuple(files), chosen.others, chosen.is_partial)


def _chosen(found: Repository, configs: Mapping[str, _Config], name: str) -> str:
    if name in configs:
        return name
    if name:
        raise _unknown(found, mark("{address} has no configuration {name}. It has: {names}."), name, configs)
    if len(configs) == 1:
        return next(iter(configs))
    text = mark("{address} has several configurations, of which one must be named, as in {address}/{first}: {names}.")
    raise _unknown(found, text, "", configs)


def _unknown(found: Repository, text: str, name: str, names: Iterable[str]) -> SourceError:
    known = list(names)
    shown = ", ".join([*known[:_SHOWN], *(["…"] if len(known) > _SHOWN else [])])
    return SourceError(
        text,
        reason="hub-part-unknown",
        address=f"hf://datasets/{found.address.name}",
        name=name,
        names=shown,
        first=known[0],
    )


def _configs(found: Repository) -> tuple[dict[str, _Config], str]:
    """The configurations by name, and the usual one; "" if none is."""
    if declared := _declared(found):
        configs = {name: _of_card(entry, found.files) for name, entry in declared.items()}
        usual = [name for name, entry in declared.items() if entry.get("default") is True]
        return configs, next(iter([*usual, *([_DEFAULT] if _DEFAULT in configs else [])]), "")
    if (configs := _converted(found.files)) or not (data := _data_files(found.files)):
        return configs, _DEFAULT if _DEFAULT in configs else ""
    kept = set(data)
    others = tuple(file for file in found.files if file not in kept and file.name not in _OF_EACH)
    configs = {_DEFAULT: _Config(_by_split(data), others)}
    # Without a card, a folder can be named as a configuration is.
    for folder in dict.fromkeys(file.name.partition("/")[0] for file in data if "/" in file.name):
        inside = [file for file in data if file.name.startswith(f"{folder}/")]
        configs.setdefault(folder, _Config(_by_split(inside, folder)))
    return configs, _DEFAULT


def _declared(found: Repository) -> dict[str, Mapping[str, Any]]:
    entries = found.card.get("configs")
    named = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    with_files = [entry for entry in named if entry.get("data_files") or entry.get("data_dir")]
    return {str(entry.get("config_name") or _DEFAULT): entry for entry in with_files}


def _of_card(entry: Mapping[str, Any], files: Sequence[HubFile]) -> _Config:
    folder = str(entry.get("data_dir") or "").strip("./")
    inside = [file for file in files if not folder or file.name.startswith(f"{folder}/")]
    if not entry.get("data_files"):
        return _Config(_by_split(_data_files(inside), folder))
    splits: dict[str, tuple[HubFile, ...]] = {}
    for name, pattern in _patterns(entry["data_files"]):
        whole = re.compile(_regex(f"{folder}/{pattern}" if folder else pattern))
        matching = tuple(file for file in inside if whole.fullmatch(file.name) and not _is_hidden(file.name))
        splits[name] = (*splits.get(name, ()), *matching)
    return _Config(splits)


def _patterns(data_files: Any) -> Iterator[tuple[str, str]]:
    """Each split with a pattern of names, in all of the forms in which a card may have them."""
    if isinstance(data_files, str):
        yield _TRAIN, data_files
    elif isinstance(data_files, Mapping):
        for split, paths in data_files.items():
            yield from ((str(split), path) for _, path in _patterns(paths))
    for each in data_files if isinstance(data_files, list) else ():
        if isinstance(each, Mapping):
            yield from ((str(each.get("split") or _TRAIN), path) for _, path in _patterns(each.get("path")))
        else:
            yield from _patterns(each)


def _regex(pattern: str) -> str:
    """A pattern of names as a regular expression: `*` stays within a folder, `**` does not."""
    found = []
    for part in re.split(r"(\*\*/|\*\*|\*|\?)", pattern.removeprefix("./")):
        special = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
        found.append(special.get(part) or re.escape(part))
    return "".join(found)


def _converted(files: Sequence[HubFile]) -> dict[str, _Config]:
    """The configurations of a branch that the hub made; none if there is a file of another layout."""
    found: dict[str, dict[str, tuple[HubFile, ...]]] = {}
    partial: set[str] = set()
    for file in files:
        match = _CONVERTED.fullmatch(file.name)
        if match is None and file.name not in _OF_EACH:
            return {}
        if match is not None:
            splits = found.setdefault(match["config"], {})
            splits[match["split"]] = (*splits.get(match["split"], ()), file)
            partial |= {match["config"]} if match["partial"] else set()
    return {name: _Config(splits, is_partial=name in partial) for name, splits in found.items()}


def _data_files(files: Sequence[HubFile]) -> list[HubFile]:
    """The files of the kind that most of the files with data have."""
    by_kind: dict[str, list[HubFile]] = {}
    for file in files:
        if kind := _kind_of(file.name):
            by_kind.setdefault(kind, []).append(file)
    of_records = {kind.name for kind in KINDS if kind.has_records}
    # Beside records, texts are notes about them.
    able = {name: found for name, found in by_kind.items() if name in of_records} or by_kind
    sizes = Counter({name: sum(file.size for file in found) for name, found in able.items()})
    return max(able.values(), key=lambda found: (len(found), sizes[_kind_of(found[0].name)]), default=[])


def _kind_of(name: str) -> str:
    """The kind of a data file, by its name; "" for other files of a repository."""
    inner = inner_name(name)
    last = inner.rpartition("/")[2]
    if last in _NO_DATA or last.startswith("license") or _is_hidden(name):
        return ""
    kind = kind_by_name(inner)
    # Pages about the data, in a repository of plain texts.
    return "" if kind is None or (kind is PLAIN and inner.endswith((".md", ".markdown"))) else kind.name


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__")) for part in name.split("/"))


def _by_split(files: Sequence[HubFile], folder: str = "") -> dict[str, tuple[HubFile, ...]]:
    splits: dict[str, tuple[HubFile, ...]] = {}
    for file in files:
        name = _split_of(file.name.removeprefix(f"{folder}/") if folder else file.name)
        splits[name] = (*splits.get(name, ()), file)
    return splits


def _split_of(name: str) -> str:
    """The split of a file: as its numbered name states, or as a word in its folders or in its name means."""
    *folders, last = inner_name(name).split("/")
    if match := _NUMBERED.match(name.rpartition("/")[2]):
        return match["split"]
    for part in (*folders, last.partition(".")[0]):
        words = _WORD.findall(part)
        for split, meant in _SPLITS.items():
            if any(word in words for word in meant):
                return split
    return _TRAIN
