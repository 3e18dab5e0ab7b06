"""Subtitles (SRT, WebVTT, ASS, MicroDVD): the text of the cues, without numbers, times and tags."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from explorer.readers.content import Content
from explorer.readers.record import Document

_TIME = r"(?:\d{1,4}:)?\d{1,2}:\d{2}[,.]\d{1,3}"
_TIMES = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?")
_TAG = re.compile(r"</?(?:i|b|u|s|c|v|lang|ruby|rt|font)(?:[.\s][^<>]*)?>|<[\d:.]+>|\{\\[^{}]*\}", re.IGNORECASE)
_ASS = "[Script Info]"
_DRAWING = re.compile(r"\{[^{}]*\\p[1-9]")
"""Vectors in place of text follow."""
_BLOCK = re.compile(r"\{[^{}]*\}")
_FRAMES = re.compile(r"\{\d+\}\{\d*\}(.*)")
_NOT_CUES = ("WEBVTT", "NOTE", "STYLE", "REGION")


def read(content: Content) -> Iterator[Document]:
    """Read the text of a file of subtitles."""
    for text in content.texts():
        yield Document("\n".join(filter(None, _texts_of(text))))


def _texts_of(text: str) -> Iterator[str]:
    """The text of each cue, by the format that the text is in."""
    if text.lstrip().startswith(_ASS):
        return ass_texts(text)
    if _FRAMES.match(text.lstrip()):
        return _microdvd_texts(text)
    is_vtt = text.startswith("WEBVTT")
    return (subtitle_text(cue, is_vtt) for cue in _cues(text, is_vtt))


def ass_texts(text: str) -> Iterator[str]:
    r"""The text of each spoken line of ASS or SSA.

    Examples
    --------
    >>> list(ass_texts("[Events]\nFormat: Start, End, Text\nDialogue: 0:01,0:02,{\\i1}Yes,\\Nhere{\\i0}."))
    ['Yes, here.']
    """
    columns = 10
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "Format":
            # The text is the last column, so that it may contain commas. Styles have a format, too, before the events.
            columns = value.count(",") + 1
        elif name.strip() == "Dialogue":
            said = value.split(",", columns - 1)[-1]
            if not _DRAWING.search(said):
                yield " ".join(re.sub(r"\\[Nnh]", " ", _BLOCK.sub("", said)).split())


def _microdvd_texts(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if found := _FRAMES.match(line.strip()):
            yield " ".join(_BLOCK.sub("", found[1]).replace("|", " ").split())


def begins_as_subtitles(beginning: str) -> bool:
    """Whether a text begins as WebVTT or ASS does, or as SRT with a number and times."""
    lines = [line for line in beginning.lstrip().splitlines()[:2] if line]
    return bool(lines) and (
        re.match(r"WEBVTT(\s|$)", lines[0]) is not None
        or lines[0].strip() == _ASS
        or (lines[0].strip().isdecimal() and len(lines) > 1 and _TIMES.fullmatch(lines[1]) is not None)
    )


def subtitle_text(lines: Sequence[str], is_vtt: bool) -> str:
    """The lines of a cue as one line.

    Examples
    --------
    >>> subtitle_text(["- <i>Where</i> were you?", "{\\\\an8}- At home."], False)
    '- Where were you? - At home.'
    """
    joined = _TAG.sub("", " ".join(lines))
    return " ".join((html.unescape(joined) if is_vtt else joined).split())


def _cues(text: str, is_vtt: bool) -> Iterator[list[str]]:
    """The lines of each cue: what follows its times, up to the number or name and the times of the next one."""
    cue: list[str] | None = None
    for block in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n").replace("\r", "\n")):
        lines = block.strip("\n").split("\n")
        places = [place for place, line in enumerate(lines) if _TIMES.fullmatch(line)]
        if not places and is_vtt and lines[0].startswith(_NOT_CUES):
            continue
        # A block without times continues a cue whose text has an empty line.
        begin = 0
        for place in places:
            before = lines[begin:place]
            if cue is not None:
                yield cue + _without_name(before, is_first=begin == 0)
            cue, begin = [], place + 1
        if cue is not None:
            cue += lines[begin:]
    if cue is not None:
        yield cue


def _without_name(lines: list[str], is_first: bool) -> list[str]:
    """What precedes the times of a cue in its block, without the number or the name of that cue."""
    if lines and (lines[-1].strip().isdecimal() or (is_first and len(lines) == 1)):
        return lines[:-1]
    return lines
