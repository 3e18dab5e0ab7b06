"""A kind of file for tests: cards, each with a title on its first line, separated by lines of two percent signs."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.documents.content import Content
from explorer.documents.kind import Kind
from explorer.documents.record import Document


def read(content: Content) -> Iterator[Document]:
    for text in content.texts():
        for number, card in enumerate(text.split("%%\n")):
            title, _, body = card.partition("\n")
            yield Document(body.strip(), {"title": title}, number, "" if body else "this card has no text")


CARDS = Kind(
    "cards",
    "index cards",
    "card",
    read,
    (".cards",),
    begins=lambda beginning: beginning.startswith("%cards"),
    about="The text below the title.",
)
