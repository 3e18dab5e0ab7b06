"""Subtitles (SRT, WebVTT, ASS, MicroDVD): the text of the cues, without numbers, times and tags."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from explorer.documents.content import Content
from explorer.documents.read_settings import CUE
from explorer.documents.record import Document

_TIME = r"(?:\d{1,4}:)?\d{1,2}:\d{2}[,.]\d{1,3}"
_MOMENT = re.compile(_TIME)
_TIMES = re.compile(rf"\s*({_TIME})\s*-->\s*({_TIME})(?:\s.*)?")
_TAG = re.compile(r"</?(?:i|b|u|s|c|v|lang|ruby|rt|font)(?:[.\s][^<>]*)?>|<[\d:.]+>|\{\\[^{}]*\}", re.IGNORECASE)
_ASS = "[Script Info]"
_ASS_COLUMNS = ["Layer", "Start", "End", "Style", "Name", "MarginL", "MarginR", "MarginV", "Effect", "Text"]
_DRAWING = re.compile(r"\{[^{}]*\\p[1-9]")
"""Vectors in place of text follow."""
_BLOCK = re.compile(r"\{[^{}]*\}")
_FRAMES = re.compile(r"\{\d+\}\{\d*\}(.*)")
_NOT_CUES = ("WEBVTT", "NOTE", "STYLE", "REGION")


def read(content: Content) -> Iterator[Document]:
    """Read the text of a file of subtitles."""
    for text in content.texts():
        cues = [cue for cue in _cues_of(text) if cue.text]
        if content.reading.per == CUE:
            yield from (Document(cue.text, cue.times, place) for place, cue in enumerate(cues))
        else:
            yield Document("\n".join(cue.text for cue in cues))


@dataclass(frozen=True)
class Cue:
    """What is shown at a time, with its times in seconds; none if the file does not state them."""

    text: str
    times: Mapping[str, float] = field(default_factory=dict)


def _cues_of(text: str) -> Iterator[Cue]:
    """The cues, by the format that the text is in."""
    if text.lstrip().startswith(_ASS):
        return ass_cues(text)
    if _FRAMES.match(text.lstrip()):
        return (Cue(each) for each in _microdvd_texts(text))
    is_vtt = text.startswith("WEBVTT")
    return (Cue(subtitle_text(lines, is_vtt), times) for times, lines in _cues(text, is_vtt))


def ass_cues(text: str) -> Iterator[Cue]:
    r"""The spoken lines of ASS or SSA.

    Examples
    --------
    >>> text = "[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.50,0:00:02.00,{\\i1}Yes,\\Nhere{\\i0}."
    >>> list(ass_cues(text))
    [Cue(text='Yes, here.', times={'start': 1.5, 'end': 2.0})]
    """
    columns: list[str] = _ASS_COLUMNS
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "Format":
            # The text is the last column, so that it may contain commas. Styles have a format, too, before the events.
            columns = [column.strip() for column in value.split(",")]
        elif name.strip() == "Dialogue":
            *about, said = value.split(",", len(columns) - 1)
            if not _DRAWING.search(said):
                stated = dict(zip(columns, map(str.strip, about), strict=False))
                times = _seconds(stated.get("Start", ""), stated.get("End", ""))
                yield Cue(" ".join(re.sub(r"\\[Nnh]", " ", _BLOCK.sub("", said)).split()), times)


def _seconds(start: str, end: str) -> dict[str, float]:
    """The times of a cue in seconds; none if one of them is not a time."""
    if not (_MOMENT.fullmatch(start) and _MOMENT.fullmatch(end)):
        return {}
    return {name: _seconds_of(time) for name, time in (("start", start), ("end", end))}


def _seconds_of(time: str) -> float:
    *hours, minutes, seconds = time.replace(",", ".").split(":")
    return round(3_600 * int(hours[0] if hours else 0) + 60 * int(minutes) + float(seconds), 3)


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


def _cues(text: str, is_vtt: bool) -> Iterator[tuple[dict[str, float], list[str]]]:
    """The times and lines of each cue: what follows its times, up to the number or name and times of the next one."""
    cue: list[str] | None = None
    times: dict[str, float] = {}
    for block in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n").replace("\r", "\n")):
        lines = block.strip("\n").split("\n")
        found = [(place, match) for place, line in enumerate(lines) if (match := _TIMES.fullmatch(line))]
        if not found and is_vtt and lines[0].startswith(_NOT_CUES):
            continue
        # A block without times continues a cue whose text has an empty line.
        begin = 0
        for place, match in found:
            before = lines[begin:place]
            if cue is not None:
                yield times, cue + _without_name(before, is_first=begin == 0)
            cue, begin, times = [], place + 1, _seconds(match[1], match[2])
        if cue is not None:
            cue += lines[begin:]
    if cue is not None:
        yield times, cue


def _without_name(lines: list[str], is_first: bool) -> list[str]:
    """What precedes the times of a cue in its block, without the number or the name of that cue."""
    if lines and (lines[-1].strip().isdecimal() or (is_first and len(lines) == 1)):
        return lines[:-1]
    return lines
