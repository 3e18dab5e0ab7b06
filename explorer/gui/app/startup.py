"""What a start of the program asks for. No Qt."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from explorer.core.files.paths import exists


@dataclass(frozen=True)
class Startup:
    """What to open on startup. `demo`: the sample index with the worked example traced.

    restore: if nothing is named, restore the last session (unless the settings turn this off). project: a project file
    to open; "" for none. allow_remote, token_file: as in `OpenRequest`.
    """

    paths: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()
    tokenizer: str | None = None
    demo: bool = False
    restore: bool = False
    project: str = ""
    allow_remote: bool = False
    token_file: str = ""

    @property
    def names_nothing(self) -> bool:
        """Whether only the window itself is wanted."""
        return not (self.paths or self.project or self.demo)

    def from_anywhere(self) -> Startup:
        """The same, for a process with another current folder."""
        tokenizer = None if self.tokenizer is None else _absolute(self.tokenizer)
        paths, minus = (tuple(map(_absolute, names)) for names in (self.paths, self.minus))
        return replace(self, paths=paths, minus=minus, tokenizer=tokenizer)

    def as_json(self) -> dict[str, Any]:
        """Its values, as JSON has them."""
        return {**asdict(self), "paths": list(self.paths), "minus": list(self.minus)}


def _absolute(name: str) -> str:
    # An address and the name of a tokenizer are not paths.
    return str(Path(name).absolute()) if exists(Path(name)) else name


def startup_of(values: Any) -> Startup | None:
    """Read what another process sent.

    values: Values of JSON; nothing is known about them.
    Returns: What is asked for; None if a value is missing, unknown, or of another type.

    Examples
    --------
    >>> startup_of({**Startup().as_json(), "paths": ["corpus"]}).paths
    ('corpus',)
    >>> startup_of({"paths": "corpus"}) is None
    True
    """
    if not isinstance(values, dict) or values.keys() != {each.name for each in fields(Startup)}:
        return None
    lists = [values[name] for name in ("paths", "minus")]
    texts = [values[name] for name in ("project", "token_file")]
    if values["tokenizer"] is not None:
        texts.append(values["tokenizer"])
    if not all(isinstance(each, list) for each in lists):
        return None
    flags = [values[name] for name in ("demo", "restore", "allow_remote")]
    if not all(isinstance(text, str) for text in [*texts, *lists[0], *lists[1]]):
        return None
    if not all(isinstance(flag, bool) for flag in flags):
        return None
    return Startup(**{**values, "paths": tuple(lists[0]), "minus": tuple(lists[1])})
