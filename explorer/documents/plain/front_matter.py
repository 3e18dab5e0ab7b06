"""Front matter of Markdown: the block of YAML between two lines of dashes, as web sites and notes have it."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, ClassVar

from explorer.documents.record import plain_value
from explorer.i18n import mark, tr

ENDINGS = (".md", ".markdown")
NOT_YAML = mark("files with a front matter that cannot be read (kept as text)")
_BLOCK = re.compile(r"---[ \t]*\r?\n(?=[^\s])(.*?)^(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_MOST = 1 << 16
"""Characters of a front matter: a longer block is text."""
_TRUE, _NULL = re.compile("true|false"), re.compile("null|~|")
_INTEGER = re.compile(r"0|-?[1-9]\d{0,17}", re.ASCII)
_DECIMAL = re.compile(r"-?(?:0|[1-9]\d{0,8})\.\d{0,5}[1-9]", re.ASCII)
"""Numbers with one spelling, so that 1.10 and 007 stay what they are."""


def divide(text: str) -> tuple[dict[str, Any], str, str]:
    """Divide a text into its front matter and the rest.

    Returns: The fields, the text below them, and why a block that looks like a front matter cannot be read; "" if it
        can, or without such a block. A text that begins with a horizontal rule has no fields: an empty line or a text
        follows.

    Examples
    --------
    >>> divide("---\\ntitle: Cats\\ntags: [a, b]\\n---\\nThe cat sat.")
    ({'title': 'Cats', 'tags': ['a', 'b']}, 'The cat sat.', '')
    """
    found = _BLOCK.match(text, 0, _MOST)
    if found is None:
        return {}, text, ""
    fields, problem = _fields(found[1])
    return (fields, text[found.end() :].lstrip("\r\n"), "") if fields else ({}, text, problem)


def _fields(block: str) -> tuple[dict[str, Any], str]:
    """The fields of a block, or why it has none."""
    # Imported here: few builds need it.
    import yaml

    try:
        value = yaml.load(block, _loader())
    except yaml.YAMLError as error:
        return {}, " ".join(str(error).split())
    # Of values nested without end, and of characters that YAML does not have.
    except (ValueError, RecursionError) as error:
        return {}, " ".join(str(error).split())
    if not isinstance(value, dict):
        return {}, ""
    return {str(name): plain_value(part) for name, part in value.items()}, ""


@cache
def _loader() -> type[Any]:
    """The safe loader of YAML with the types of JSON, and without aliases, with which few bytes become many."""
    import yaml

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        # The types of YAML 1.1 would make a truth value of the country "no", and a time of 12:30.
        yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError(tr("it refers to another part of itself by an alias"))
            return super().compose_node(parent, index)

    for tag, pattern, first in (
        ("bool", _TRUE, "tf"),
        ("null", _NULL, ["n", "~", ""]),
        ("int", _INTEGER, "-0123456789"),
        ("float", _DECIMAL, "-0123456789"),
    ):
        whole = re.compile(rf"(?:{pattern.pattern})\Z", re.ASCII)
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", whole, list(first))
    return Loader
