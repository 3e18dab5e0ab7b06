"""Colors that can be told apart, and lengths that grow with the text."""

from __future__ import annotations

import re
from dataclasses import fields
from itertools import product

import pytest

from explorer.gui.style.sheet import PICTURES, style_sheet
from explorer.gui.style.theme import (
    DARK,
    LIGHT,
    RELEVANCE,
    choose_scheme,
    choose_text_size,
    chrome,
    chrome_to,
    colors,
    em,
    scaled,
)
from explorer.resources import resource_text

GROUNDS = ("surface", "window", "raised", "sunken", "hover", "select")
INK = {
    **dict.fromkeys(("text", "muted"), GROUNDS),
    "accent": ("surface", "window", "raised", "select", "accent_soft", "hover"),
    "on_accent": ("accent", "accent_hover"),
    "on_mark": ("mark",),
    "warn": ("warn_soft", "surface", "window"),
    "error": ("error_soft", "surface", "window"),
    "ok": ("ok_soft", "surface", "window"),
    # A tool tip and a toast.
    "window": ("text",),
}
FILLS = ("mark_soft", "accent_soft", "warn_soft", "error_soft", "ok_soft", *RELEVANCE.values())
MARKS = [
    *product(("accent", "warn", "error", "ok"), ("surface", "window", "raised", "select")),
    # Underlines on fills, and outlines of boxes to check.
    *product(("accent",), (*RELEVANCE.values(), "mark_soft")),
    *product(("faint", "ghost"), ("surface",)),
]


def luminance(color: str) -> float:
    """Relative luminance, as WCAG 2.1 defines it."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    """Contrast ratio, as WCAG 2.1 defines it."""
    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def too_weak(theme, pairs, least: float) -> list[tuple[str, str, float]]:
    """The pairs of names with less contrast."""
    reckoned = [(a, b, round(contrast(getattr(theme, a), getattr(theme, b)), 2)) for a, b in pairs]
    return [pair for pair in reckoned if pair[2] < least]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_is_legible_on_every_fill(theme):
    pairs = [(ink, ground) for ink, grounds in INK.items() for ground in grounds]
    assert too_weak(theme, pairs + [("text", fill) for fill in FILLS], 4.5) == []


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_marks_and_the_focus_ring_are_seen(theme):
    assert too_weak(theme, MARKS, 3.0) == []


def test_contrast_is_reckoned_as_in_the_standard():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sheet_names_no_color_and_no_size_that_is_not_known(scheme, qapp):
    choose_scheme(scheme)
    sheet = style_sheet()
    choose_scheme("system")
    assert re.findall(r"@\S*", sheet) == []
    known = {getattr(theme, field.name) for theme in (LIGHT, DARK) for field in fields(theme)}
    assert set(re.findall(r"#[0-9a-f]{6}", sheet)) <= known
    assert sheet.count("{") == sheet.count("}")


@pytest.mark.parametrize(("scheme", "theme"), [("light", LIGHT), ("dark", DARK)])
def test_the_pictures_of_the_sheet_have_the_colors_of_the_theme(scheme, theme):
    known = {theme.muted, theme.on_accent, theme.accent}
    for name in PICTURES:
        picture = resource_text(f"icons/{name}-{scheme}.svg")
        assert set(re.findall(r"#[0-9a-f]{6}", picture)) <= known, name


def test_lengths_grow_with_the_text(qapp):
    choose_text_size(10)
    assert (em(1), em(2), scaled(28), chrome(28)) == (13, 26, 28, 28)
    choose_text_size(20)
    assert (em(1), em(2), scaled(28), chrome(28)) == (26, 52, 56, 50)
    choose_text_size(0)


@pytest.mark.parametrize("points", [8, 10, 14, 20, 24])
def test_a_control_is_always_higher_than_its_text(points):
    # A line of text is at most 1.5 times as high as its font is large, in pixels of 96 per inch.
    assert chrome_to(points, 28) > points * 96 / 72 * 1.5


def test_nothing_is_given_away_of_the_other_theme(qapp):
    choose_scheme("dark")
    assert colors() is DARK
    choose_scheme("light")
    assert colors() is LIGHT
    choose_scheme("system")
