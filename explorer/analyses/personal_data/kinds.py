"""The kinds of personal data and secrets: the expression of each, what it must hold, and what else it may find."""

from __future__ import annotations

import base64
import ipaddress
import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from explorer.i18n import mark
from explorer.text.graphemes import beginning
from explorer.text.patterns.pattern import Pattern

REACH = 8_448
"""Characters: no finding is longer, with what its expression reads after it."""

_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_EMAIL = (
    r"(?<![A-Za-z0-9_%+-])[A-Za-z0-9_][A-Za-z0-9._%+-]{0,63}@"
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9_-])"
)
_PHONE = (
    r"(?P<international>(?<![\w+])\+[1-9](?:[ .()-]{0,2}[0-9]){7,14}(?!\w))"
    r"|(?P<north_american>(?<![\w.+/-])(?:1[ .-]?)?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[ .-])"
    r"[2-9][0-9]{2}[ .-][0-9]{4}(?![\w/]|[.-][0-9]))"
)
_IP = (
    rf"(?P<v4>(?<![\w.])(?:{_OCTET}\.){{3}}{_OCTET}(?!\w|\.[0-9]))"
    r"|(?P<v6>(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,8}(?:[0-9A-Fa-f]{1,4})?(?![\w:]|\.[0-9]))"
)
_CARD = (
    r"(?<![\w.-])(?:[0-9]{4}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{4}|3[47][0-9]{2}([ -])[0-9]{6}\2[0-9]{5}|[0-9]{13,19})"
    r"(?![\w-]|\.[0-9])"
)
_KEY = (
    r"(?<![A-Za-z0-9_])(?:"
    r"(?P<aws>(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9]))"
    r"|(?P<github>(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})(?![A-Za-z0-9_]))"
    r"|(?P<gitlab>glpat-[A-Za-z0-9_-]{20,255}(?![A-Za-z0-9_-]))"
    r"|(?P<slack>xox[abeoprs]-[A-Za-z0-9-]{10,255}(?![A-Za-z0-9-]))"
    r"|(?P<google>AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-]))"
    r"|(?P<stripe>[rs]k_live_[A-Za-z0-9]{16,255}(?![A-Za-z0-9]))"
    r"|(?P<hugging_face>hf_[A-Za-z]{34}(?![A-Za-z0-9]))"
    r"|(?P<sk>sk-[A-Za-z0-9_-]{32,255}(?![A-Za-z0-9_-]))"
    r"|(?P<jwt>eyJ[A-Za-z0-9_-]{8,2048}\.eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,1024}(?![A-Za-z0-9_-]))"
    r"|(?P<private_key>-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED|PGP) )?PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:[A-Za-z0-9+/=\s:,.()]|-(?!----)){0,8192}-----END [A-Z ]{0,24}PRIVATE KEY(?: BLOCK)?-----)?))"
)


@dataclass(frozen=True)
class PersonalKind:
    """A kind of personal data, or of secrets.

    title: Its name in a sentence, in English.
    note: What else its expression finds, in English.
    cores: Every finding holds one of these, so that the others need not be read.
    expression: What a finding is: the matches from left to right that do not overlap.
    check: Decides which matches count; given the name of the group of the expression that matched, and the text.
    kept: The letters and digits at the beginning and at the end that are shown when it is masked.
    """

    name: str
    title: str
    note: str
    cores: tuple[Pattern, ...]
    expression: re.Pattern[str]
    check: Callable[[str, str], bool]
    kept: tuple[int, int]

    def detail(self, match: re.Match[str]) -> str:
        """Name what exactly a match is.

        Returns: The name of the variant, such as "v6"; "" for a kind without.
        """
        return next((name.replace("_", "-") for name, text in match.groupdict().items() if text is not None), "")

    def masked(self, text: str) -> str:
        """Hide what a finding tells; its shape stays.

        Returns: Its first line, at most 60 characters, with dots for all letters and digits but those that are kept.

        Examples
        --------
        >>> KINDS["card"].masked("4111 1111 1111 1111")
        '•••• •••• •••• 1111'
        """
        places = [place for place, character in enumerate(text) if character.isalnum()]
        first, last = self.kept
        hidden = set(places[first : len(places) - last])
        line = "".join("•" if place in hidden else character for place, character in enumerate(text)).split("\n")[0]
        return f"{beginning(line, _SHOWN)}…" if len(text) > _SHOWN else line


_SHOWN = 60


def _any(variant: str, text: str) -> bool:
    return True


def _is_address(variant: str, text: str) -> bool:
    """Whether it is an address, and not a time of day, or a name of a program such as `::add`."""
    if variant == "v4":
        return True
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return any(character.isdigit() for character in text)


def has_check_digit(digits: str) -> bool:
    """Tell whether the last digit is the one that Luhn's formula gives.

    Examples
    --------
    >>> has_check_digit("4111111111111111"), has_check_digit("4111111111111112")
    (True, False)
    """
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        # The sum of the digits of twice a digit.
        total += value - 9 if value > 9 else value
    return total % 10 == 0


# First and last prefix of an issuer, with the same number of digits, and how many digits its cards have.
_ISSUERS = (
    ("4", "4", (13, 16, 19)), ("51", "55", (16,)), ("2221", "2720", (16,)), ("34", "34", (15,)), ("37", "37", (15,)),
    ("6011", "6011", (16, 19)), ("644", "659", (16, 19)), ("3528", "3589", (16, 17, 18, 19)), ("300", "305", (14,)),
    ("36", "36", (14,)), ("38", "39", (14,)), ("62", "62", (16, 17, 18, 19)),
)  # fmt: skip


def _is_card(variant: str, text: str) -> bool:
    digits = re.sub("[ -]", "", text)
    known = any(low <= digits[: len(low)] <= high and len(digits) in sizes for low, high, sizes in _ISSUERS)
    return known and has_check_digit(digits)


def _is_key(variant: str, text: str) -> bool:
    if variant == "jwt":
        return _has_algorithm(text.split(".")[0])
    # Names of styles in web pages have the same prefix, without digits.
    return variant not in ("sk", "slack") or any(character.isdigit() for character in text)


def _has_algorithm(head: str) -> bool:
    """Whether the first part of a token is JSON that names how it is signed."""
    try:
        found = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "alg" in found


def _literal(*texts: str) -> tuple[Pattern, ...]:
    return tuple(map(Pattern, texts))


def _regex(*texts: str) -> tuple[Pattern, ...]:
    return tuple(Pattern(text, "regex") for text in texts)


_ALL = (
    PersonalKind(
        "email", mark("e-mail addresses"),
        mark("Also addresses that are examples, and user@host.domain of a remote shell."),
        _literal("@"), re.compile(_EMAIL), _any, (1, 0),
    ),
    PersonalKind(
        "phone", mark("telephone numbers"),
        mark("With + and the code of a country, or as written in North America. Also parts of DOIs, times in seconds "
             "since 1970, and other numbers that are grouped alike; those of other countries without + are missed."),
        _regex(r"\+[1-9](?:[ .()-]{0,2}[0-9]){7}", r"[2-9][0-9]{2}(?:\) ?|[ .-])[2-9][0-9]{2}[ .-][0-9]{4}"),
        re.compile(_PHONE), _any, (0, 2),
    ),
    PersonalKind(
        "ip", mark("IP addresses"),
        mark("Also numbers of versions and of sections with four parts, and addresses of private networks."),
        _regex(r"[0-9]\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]", r"::[0-9A-Fa-f]|[0-9A-Fa-f]::|:(?:[0-9A-Fa-f]{1,4}:){3}"),
        re.compile(_IP), _is_address, (1, 0),
    ),
    PersonalKind(
        "card", mark("card numbers"),
        mark("The prefix of a known issuer and a right check digit. One in ten other numbers of that length and prefix "
             "passes too, such as ids of posts, and numbers for tests do."),
        _regex(r"[0-9]{4}[ -][0-9]{4}[ -][0-9]{4}[ -][0-9]{4}", r"3[47][0-9]{2}[ -][0-9]{6}[ -][0-9]{5}", "[0-9]{13}"),
        re.compile(_CARD), _is_card, (0, 4),
    ),
    PersonalKind(
        "key", mark("keys and tokens"),
        mark("Keys of AWS, GitHub, GitLab, Slack, Google, Stripe, Hugging Face, keys that begin with sk-, signed JSON "
             "(JWT), and private keys. Also examples from manuals; whether a key is valid is not asked."),
        _literal(
            "AKIA", "ASIA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xoxa-", "xoxb-", "xoxe-",
            "xoxo-", "xoxp-", "xoxr-", "xoxs-", "AIza", "sk_live_", "rk_live_", "hf_", "sk-", ".eyJ", "-----BEGIN ",
        ),
        re.compile(_KEY), _is_key, (4, 0),
    ),
)  # fmt: skip
KINDS = {kind.name: kind for kind in _ALL}
"""All kinds by their names."""
