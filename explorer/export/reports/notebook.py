"""Results as pieces of HTML for notebooks; every text from outside is escaped.

A piece brings its style in the elements themselves: a style sheet would apply to the whole notebook. Colors with a text
on them are given together with the text's color, so that a piece can be read on a light and on a dark page.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from explorer.core.visible import reads_right_to_left, visible

_SHADES = ("", "#d9e6fb", "#b4cdf5", "#8fb4ef")
"""Backgrounds of the levels 0 to 3, as in reports."""
_TINTS = {1: "#dcf1e0", 2: "#b2dfbc", 3: "#7fc893", -1: "#fbe3e0", -2: "#f5c0ba", -3: "#ec948b"}
"""Backgrounds of what is better (above 0) and worse: a dark text has a contrast of 7 or more on each."""
_BAR = "background:#6f9be0;height:.7em;display:inline-block"
_TEXT = "white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.6;unicode-bidi:plaintext"
_CELL = "padding:.1em .6em;white-space:pre"


def escaped(text: str) -> str:
    """Escape a text from outside for HTML; controls and characters that reorder text become visible."""
    return html.escape(visible(text, keep="\n\t"))


def shaded(text: str, level: int, hint: str = "") -> str:
    """Shade a piece of a text.

    level: 0 (not shaded) to 3.
    hint: What is shown when the pointer is on it, not escaped.
    """
    title = f' title="{escaped(hint)}"' if hint else ""
    if not level:
        return f"<span{title}>{escaped(text)}</span>" if title else escaped(text)
    style = f"background:{_SHADES[level]};color:#1d2433"
    return f'<mark style="{style}"{title}>{escaped(text)}</mark>'


def tinted(text: str, level: int, hint: str = "") -> str:
    """Color a piece of a text by whether something is better or worse there.

    Parameters
    ----------
    text
        The piece, not escaped.
    level
        -3 (much worse, red) to 3 (much better, green); 0 has no color.
    hint
        What is shown when the pointer is on it, not escaped.

    Returns
    -------
    str
        HTML.
    """
    if not level:
        return shaded(text, 0, hint)
    title = f' title="{escaped(hint)}"' if hint else ""
    return f'<mark style="background:{_TINTS[level]};color:#1d2433"{title}>{escaped(text)}</mark>'


def text_block(heading: str, pieces: Iterable[str]) -> str:
    """Make a block of text.

    heading: The line above it, not escaped.
    """
    return f'<div><div>{escaped(heading)}</div><div style="{_TEXT}">{"".join(pieces)}</div></div>'


def bar_table(
    heading: str, names: Sequence[str], rows: Iterable[tuple[str, str, float]], more: int, sign: str = ""
) -> str:
    """Make a table with a bar in each row.

    heading: The line above it, not escaped.
    names: The names of the two columns of text and number.
    rows: A text, a number as text, and the length of the bar, 0 to 1.
    more: The number of rows that are left out.
    sign: What comes before each share, such as "≈ ".
    """
    cells = "".join(
        f'<tr><td style="{_CELL};text-align:left" dir="auto">{escaped(text)}</td>'
        f'<td style="{_CELL};text-align:right">{escaped(number)}</td>'
        f'<td style="{_CELL}"><span style="{_BAR};width:{share * 12:.2f}em"></span> {sign}{share:.1%}</td></tr>'
        for text, number, share in rows
    )
    head = "".join(f'<th style="{_CELL}">{escaped(name)}</th>' for name in names)
    return f"<div>{escaped(heading)}<table><tr>{head}</tr>{cells}</table>{_rest(more)}</div>"


def line_table(heading: str, lines: Iterable[tuple[str, str, str, str]], more: int) -> str:
    """Make a table of lines with the match in the middle.

    heading: The line above it, not escaped.
    lines: The text before the match, the match, the text after it, and the title of the document. Of a line that reads
        from right to left, the text before the match is on its right.
    more: The number of lines that are left out.
    """
    cells = "".join(_line(*line) for line in lines)
    return f"<div>{escaped(heading)}<table>{cells}</table>{_rest(more)}</div>"


def _line(before: str, match: str, after: str, title: str) -> str:
    left, right = (after, before) if reads_right_to_left(match, after, before) else (before, after)
    return (
        f'<tr><td style="{_CELL};text-align:right" dir="auto">{_one_line(left)}</td>'
        f'<td style="{_CELL};text-align:center" dir="auto"><b>{_one_line(match)}</b></td>'
        f'<td style="{_CELL};text-align:left" dir="auto">{_one_line(right)}</td>'
        f'<td style="{_CELL};text-align:left" dir="auto">{_one_line(title)}</td></tr>'
    )


def _one_line(text: str) -> str:
    return escaped(" ".join(text.split()))


def _rest(more: int) -> str:
    return f"<div>… and {more:,} more</div>" if more else ""
