"""The text of HTML and XML, without tags, scripts and styles, by the standard library's parser."""

from __future__ import annotations

import re
from html.parser import HTMLParser

ENDINGS = (".html", ".htm", ".xhtml", ".xml")
_UNSEEN = {"script", "style", "template"}
# Elements that browsers show on lines of their own.
_BREAKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote br dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li "
        "main nav ol p pre section table tbody td tfoot th thead title tr ul",
    )
)
_SPACES = re.compile(r"[ \t\r\n\f]+")
_AROUND_BREAKS = re.compile(r" *\n *")


def strip_markup(text: str, is_html: bool) -> str:
    r"""Take the text between the tags.

    Parameters
    ----------
    text
        The source of a page or a document.
    is_html
        True for HTML: white space is collapsed, and blocks are on separate lines, as in browsers. False for XML: white
        space is preserved.

    Returns
    -------
    str
        The text without tags, scripts and styles, and without white space at either end.

    Examples
    --------
    >>> strip_markup("<p>one</p> <p>two &amp; three</p>", is_html=True)
    'one\n\ntwo & three'
    """
    parser = _Stripper(is_html)
    parser.feed(text)
    parser.close()
    # `close` has handed over what the parser held back, such as an unfinished tag at the end.
    found = "".join(parser.parts)
    if not is_html:
        return found.strip()
    # Blocks inside blocks would each leave an empty line.
    return re.sub(r"\n{3,}", "\n\n", _AROUND_BREAKS.sub("\n", found)).strip()


class _Stripper(HTMLParser):
    def __init__(self, is_html: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._is_html = is_html
        self._unseen = 0
        self._kept = 0

    def set_cdata_mode(self, elem: str, **wishes: bool) -> None:
        """XML has no elements whose content is not parsed."""
        if self._is_html:
            super().set_cdata_mode(elem, **wishes)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line, or a part that is not shown."""
        self._tag(tag, 1)

    def handle_endtag(self, tag: str) -> None:
        """End it."""
        self._tag(tag, -1)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without content."""
        self._tag(tag, 0)

    def _tag(self, tag: str, step: int) -> None:
        if not self._is_html:
            return
        if tag in _UNSEEN:
            # Never below nothing: an end without a beginning is common and must not show the next script.
            self._unseen = max(0, self._unseen + step)
        elif tag in _BREAKS:
            self.parts.append("\n")
        if tag == "pre":
            self._kept = max(0, self._kept + step)

    def handle_data(self, data: str) -> None:
        """Text between tags."""
        # Spaces are kept in `pre`, where they are part of the text.
        if not self._unseen:
            self.parts.append(data if self._kept or not self._is_html else _SPACES.sub(" ", data))

    def unknown_decl(self, data: str) -> None:
        """A CDATA section of XML is text."""
        if data.startswith("CDATA["):
            self.handle_data(data.removeprefix("CDATA["))
