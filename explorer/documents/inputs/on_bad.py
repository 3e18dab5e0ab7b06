"""One policy for lines that cannot be read: stop at the first, skip them, or keep them with their problem."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.documents.inputs.text_input import InputText, TextInput
from explorer.errors import SourceError
from explorer.i18n import mark, tr

POLICIES = ("fail", "skip", "keep")


@dataclass(frozen=True)
class BadText:
    """A text that cannot be read; as a string, its place and the reason.

    Attributes
    ----------
    source
        The name of the input.
    line
        Its line or row, counted from 1; 0 for the whole input, whose reason names it already.
    reason
        What is wrong with it.
    """

    source: str
    line: int
    reason: str

    def __str__(self) -> str:
        if not self.line:
            return self.reason
        return tr("{source}, line {line:,}: {problem}", source=self.source, line=self.line, problem=self.reason)


class Reading:
    """Texts of inputs under one of POLICIES.

    good: The number of texts that were read.
    bad_count: The number of texts that could not be read.
    problems: What is wrong with them, or with the first `most` of them; empty with the policy "fail".
    on_bad: "fail": a bad line is an error. "skip": it is left out. "keep": it is yielded with its problem.
    most: The number of problems that are kept; None for all. A stream can have a million bad lines.
    """

    def __init__(self, on_bad: str = "fail", most: int | None = None) -> None:
        self.on_bad = on_bad
        self.most = most
        self.good = 0
        self.bad_count = 0
        self.problems: list[BadText] = []

    def texts(self, opened: TextInput) -> Iterator[InputText]:
        """Yield the texts of an input.

        Yields: A text; with the policy "keep", also one that has a problem.
        Raises `SourceError` for a bad line with the policy "fail".
        """
        # Texts before the damage have been yielded by then, and are kept.
        for found in _to_the_end(opened):
            if found.problem:
                self.bad(found, found.problem)
                if self.on_bad == "keep":
                    yield found
            else:
                self.good += 1
                yield found

    def bad(self, found: InputText, problem: str) -> None:
        """Stop at a line that cannot be used, or note its problem.

        problem: What is wrong with it; the line's number is put before.
        Raises `SourceError` if bad lines are to stop the reading (`on_bad` is "fail").
        """
        if self.on_bad == "fail":
            raise SourceError(
                mark("{place}."),
                reason="bad-line",
                option="on_bad",
                # The problem of a damaged input is a sentence, and the error adds a full stop of its own.
                place=str(BadText(found.source, found.line, problem)).rstrip("."),
                path=found.source,
                line=found.line or None,
            )
        self.bad_count += 1
        if self.most is None or self.bad_count <= self.most:
            self.problems.append(BadText(found.source, found.line, problem))

    def require_texts(self, source: str) -> None:
        """Refuse an input without any readable text.

        Raises `SourceError` if no text was read.
        """
        if not self.good:
            reason = str(self.problems[0]).rstrip(".") if self.problems else tr("it is empty")
            raise SourceError(
                mark("{path} contains no readable text: {cause}."), reason="no-readable-text", path=source, cause=reason
            )


def _to_the_end(opened: TextInput) -> Iterator[InputText]:
    """The texts; a truncated or damaged input ends with a text that has the damage as its problem."""
    try:
        yield from opened.texts
    except SourceError as error:
        yield InputText(opened.source, 0, "", problem=str(error))


def skipped_lines(opened: TextInput) -> list[str]:
    """What has been skipped of an input, such as pictures of a crawl: a line for each kind of record."""
    return [
        tr("{path}: {kind} ({number:,})", path=opened.source, kind=tr(kind), number=number)
        for kind, number in opened.skipped.items()
    ]


def described(opened: TextInput) -> str:
    """Tell how an input is read.

    Returns: The format and what was chosen; "" for plain UTF-8 text, which leaves no choice.
    """
    if opened.format == "text" and not opened.notes:
        return ""
    return "; ".join([tr("read as {format}", format=opened.format), *opened.notes])
