"""What a person reads of a text: Markdown and LaTeX without their marks, and where each character comes from.

`read_text` gives a `ReadingText`: plain text, runs of headings, bold words, code and so on, and an exact map to the
source.
"""

from explorer.text.reading.read import READ_MODES, ReadMode, looks_like_markdown, read_text
from explorer.text.reading.value import ReadingText, StyledRun

__all__ = ["READ_MODES", "ReadMode", "ReadingText", "StyledRun", "looks_like_markdown", "read_text"]
