"""The settings of personal data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from explorer.derive.kinds import Flag, Maybe, Several, Whole
from explorer.derive.question import Question, setting
from explorer.i18n import mark

KINDS = {
    "email": mark("E-mail addresses"),
    "phone": mark("Telephone numbers"),
    "ip": mark("IP addresses"),
    "card": mark("Card numbers"),
    "key": mark("Keys and secrets"),
}
_TIPS = {
    "email": mark("A name, @ and a domain. Also addresses of examples, and user@host.domain of a remote shell"),
    "phone": mark(
        "+ and 8 to 15 digits, or 3, 3 and 4 digits. Also parts of DOIs, seconds since 1970, numbers of parts"
    ),
    "ip": mark("Four numbers from 0 to 255, or IPv6. Also versions and sections with four parts, and private networks"),
    "card": mark("13 to 19 digits with an issuer's prefix and a right check digit. One in ten other such numbers, too"),
    "key": mark("Keys of known shapes. Also examples from manuals: nobody is asked whether a key is valid"),
}


@dataclass(frozen=True)
class PersonalDataQuestion(Question):
    """Which personal data are looked for, and how they are shown."""

    title: ClassVar = mark("Personal data")

    kinds: tuple[str, ...] = setting(
        tuple(KINDS), Several(KINDS, _TIPS), mark("Kinds"), mark("kinds of data to find"), fact="kinds", option="--kind"
    )
    masked: bool = setting(
        True, Flag(), mark("Mask"), mark("hide most letters and digits of the texts"), fact="masked", option="--show"
    )
    top: int | None = setting(
        1000,
        Maybe(Whole(1), word="all", label=mark("all")),
        mark("Findings"),
        mark("maximum number of findings that are rows; totals and ranges are of all"),
        fact="top",
    )

    def restored(self, values: Mapping[str, Any]) -> Self:
        """Also with the values of a session of version 0.2, which had a truth value for each kind."""
        chosen = [name for name in KINDS if values.get(name) is True]
        older: dict[str, Any] = {"kinds": chosen} if chosen else {}
        if isinstance(shown := values.get("shown"), bool):
            older["masked"] = not shown
        return super().restored({**older, **values})
