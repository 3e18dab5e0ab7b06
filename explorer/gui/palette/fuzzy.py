"""Finds what a few typed letters mean, as command palettes do: words, beginnings of words, or their letters."""

from __future__ import annotations

from dataclasses import dataclass

_BEGIN, _WORD, _INSIDE, _LETTERS, _ABOUT = 0, 1, 3, 6, 8
"""Penalties of a typed word: it begins the text, begins a word, is inside a word, only its letters are there in order,
or it is in the explanation."""


@dataclass(frozen=True)
class Match:
    """How well something fits what was typed: the smaller the penalty, the better. places: characters to mark."""

    penalty: float = 0.0
    places: tuple[int, ...] = ()
    about_places: tuple[int, ...] = ()


def match(typed: str, text: str, about: str = "") -> Match | None:
    """Compare what was typed with a name and its explanation.

    typed: Words in any order, or parts of words; case is ignored.
    about: The explanation, in which only whole parts are found, and after all that are found in names.
    Returns: None if one of the words is nowhere.
    """
    penalty, places, others = 0.0, set[int](), set[int]()
    # Each word is looked for on its own: people type words in the order in which they come to mind.
    name, explanation = _lower(text), _lower(about)
    for word in typed.lower().split():
        found = _best(word, name)
        if found is not None:
            penalty += found[0]
            places.update(found[1])
        elif (at := explanation.find(word)) >= 0:
            penalty += _ABOUT
            others.update(range(at, at + len(word)))
        else:
            return None
    return Match(penalty, tuple(sorted(places)), tuple(sorted(others)))


def _lower(text: str) -> str:
    """The text in lower case, letter by letter: a few letters would become two, and places would be wrong."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


def _best(word: str, name: str) -> tuple[float, tuple[int, ...]] | None:
    # `str.find` first: it is fast, and most of what is typed is part of a name.
    at = name.find(word)
    if at < 0:
        return _letters(word, name)
    # A later place is better if a word begins there.
    begin = at
    while begin >= 0 and not _begins_word(name, begin):
        begin = name.find(word, begin + 1)
    place = begin if begin >= 0 else at
    kind = _BEGIN if place == 0 else _WORD if begin >= 0 else _INSIDE
    return kind + place / 1000, tuple(range(place, place + len(word)))


def _begins_word(name: str, at: int) -> bool:
    return at == 0 or not name[at - 1].isalnum()


def _letters(word: str, name: str) -> tuple[float, tuple[int, ...]] | None:
    """The letters of a word in their order, the first of them at the beginning of a word."""
    for start, letter in enumerate(name):
        if letter == word[0] and _begins_word(name, start):
            places = [start]
            for wanted in word[1:]:
                # The beginning of a later word comes before the next letter of this one: "oi" means "Open index".
                next_at = _next(wanted, name, places[-1] + 1)
                if next_at < 0:
                    break
                places.append(next_at)
            else:
                # Letters that are close together were meant together.
                gaps = places[-1] - places[0] + 1 - len(places)
                return _LETTERS + min(gaps, 50) / 50, tuple(places)
    return None


def _next(letter: str, name: str, start: int) -> int:
    near = name.find(letter, start)
    if near == start:
        return near
    at = near
    while at >= 0 and not _begins_word(name, at):
        at = name.find(letter, at + 1)
    return at if at >= 0 else near
