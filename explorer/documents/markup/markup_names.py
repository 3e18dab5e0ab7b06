"""Which elements of HTML and XML separate words, and which are not text."""

from __future__ import annotations

import re

BREAKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset "
        "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu "
        "nav ol optgroup option p plaintext pre search section select summary table tbody td textarea tfoot th thead "
        "tr ul xmp",
    )
)
"""Elements of HTML that browsers show on lines or in boxes of their own."""
UNSEEN_HTML = frozenset({"script", "style", "template", "title", "annotation", "annotation-xml"})
"""Elements that browsers do not show; annotations repeat a formula in another notation."""
HEAD_ONLY = frozenset(
    {"html", "head", "title", "meta", "link", "base", "basefont", "bgsound", "script", "style", "template", "noscript"}
)
"""Elements that can be in the head of a page: the first other one ends it."""
KEPT_SPACE = frozenset({"pre", "listing", "xmp", "textarea"})
_UNSEEN_XML = frozenset({"teiheader"})
_UNSEEN_IN_FICTION = frozenset({"description", "binary", "stylesheet"})
WORD_ELEMENTS = frozenset({"w", "pc", "c", "tok", "token", "word", "wf", "mw"})
"""Elements of XML for single words, which a space separates and no line."""
_TEI = frozenset({"hi", "emph", "ex", "am", "g", "c", "m", "supplied", "unclear", "surplus"})
_JATS = frozenset(
    {"italic", "bold", "sub", "sup", "sc", "underline", "overline", "strike", "monospace", "roman", "sans-serif"}
)
_DOCBOOK = frozenset({"emphasis", "subscript", "superscript", "literal", "code", "phrase"})
_FICTION = frozenset({"emphasis", "strong", "sub", "sup", "strikethrough", "code", "style", "a", "image"})
_FICTION_ROOT = "fictionbook"
_TEI_ROOTS = frozenset({"tei", "tei.2", "teicorpus", "teicorpus.2"})
_PAPER_ROOTS = frozenset(
    [
        "article",
        "book",
        "chapter",
        "part",
        "section",
        "set",
        "refentry",
        "preface",
        "appendix",
        "glossary",
        "pmc-articleset",
    ]
)


def inline_elements(root: str, attributes: str) -> frozenset[str]:
    """Elements that can be inside a word, so that they separate none.

    root: The local name of the document's first element, in lower case.
    Returns: Names in lower case: none in XML of an unknown vocabulary.
    """
    if root in _TEI_ROOTS or "tei-c.org/ns" in attributes:
        return _TEI
    if root == _FICTION_ROOT:
        return _FICTION
    if "docbook.org/ns" in attributes:
        return _DOCBOOK
    return _JATS | _DOCBOOK if root in _PAPER_ROOTS else frozenset()


def unseen_elements(root: str) -> frozenset[str]:
    """Elements of XML whose content is about the text, or is not text.

    root: The local name of the document's first element, in lower case.
    """
    return _UNSEEN_IN_FICTION if root == _FICTION_ROOT else _UNSEEN_XML
