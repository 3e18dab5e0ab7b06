"""A language for tests: every sentence that goes through a catalog is put in brackets and grows by a third."""

from __future__ import annotations

import gettext
import re

OPEN, CLOSE = "⟦", "⟧"


def pseudo(text: str) -> str:
    """A sentence in it; fields in braces, shortcuts' marks and file patterns stay as they are."""
    if ";;" in text or "(*." in text:
        return text
    return OPEN + text + "~" * (len(re.sub(r"\{[^}]*\}", "", text)) // 3) + CLOSE


class Pseudo(gettext.NullTranslations):
    """The catalog."""

    def gettext(self, message: str) -> str:
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return pseudo(msgid1 if n == 1 else msgid2)
