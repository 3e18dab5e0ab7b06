"""Runs the code blocks of a page in order, and compares what they print with the blocks of output after them.

    python packaging/page_blocks.py FOLDER PAGE…           run pages on the sample index; their files stay in FOLDER
    python packaging/page_blocks.py --renew FOLDER PAGE…   also write what was printed into the pages

Blocks of `sh` and `python` run; a block of `text` directly after one is its output. All blocks of a page are one
session of bash in one folder. A line `…` in an output represents any lines, and `…` in a line any text. Numbers may
differ. The sample index contains the library of the Python that runs, so outputs are compared only if it has the
fingerprint in `sample_fingerprint.txt`, which `--renew` writes. A comment `<!-- not run: REASON -->` before a block
skips it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PAGES = (
    "../README",
    "install", "tutorial", "how-to-trace", "how-to-benchmark", "how-to-compare", "how-to-figure", "how-to-serve",
    "how-to-documents", "how-to-pdfs", "how-to-token-ids", "how-to-trillion", "how-to-common-crawl",
    "citing", "troubleshooting",
)  # fmt: skip
"""The pages of docs/ whose blocks run on the sample index; the blocks of others have tests of their own."""

RECORDED = Path(__file__).with_name("sample_fingerprint.txt")
"""The fingerprint of the sample index whose outputs the pages show."""

_BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^>]+) -->\n+)?^```(?P<language>\w+)\n(?P<code>.*?)^```$"
    r"(?:\n+^```text\n(?P<output>.*?)^```$)?",
    re.DOTALL | re.MULTILINE,
)
_END = "== end of block {number} =="
_NUMBER = re.compile(r"[-−]?\d[\d,.]*")
SECONDS = 900


@dataclass(frozen=True)
class Block:
    """A block of code.

    Attributes
    ----------
    language
        `sh` or `python`.
    code
        What is run.
    output
        What it prints; None if the page does not show it.
    span
        Where the output is in the page.
    """

    language: str
    code: str
    output: str | None
    span: tuple[int, int]

    def script(self) -> str:
        """The block as lines of bash."""
        return self.code if self.language == "sh" else f"python - <<'END OF PYTHON'\n{self.code}END OF PYTHON\n"


@dataclass(frozen=True)
class Ran:
    """What a block printed."""

    block: Block
    printed: str

    def differs(self) -> str:
        """How the printed lines differ from those of the page; "" if they do not."""
        wanted = self.block.output
        if wanted is None or _pattern(wanted).fullmatch(_plain(self.printed)):
            return ""
        return f"The page shows\n\n{wanted}\nand this was printed:\n\n{self.printed}"


class PageError(Exception):
    """A block failed."""


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a page that run."""
    for found in _BLOCK.finditer(text):
        if found["language"] in ("sh", "python") and not found["reason"]:
            yield Block(found["language"], found["code"], found["output"], found.span("output"))


def run(text: str, folder: Path, environment: Mapping[str, str]) -> list[Ran]:
    """Run all blocks of a page.

    Parameters
    ----------
    text
        The page.
    folder
        Where they run, and write.
    environment
        Variables beside those of this process.

    Returns
    -------
    list[Ran]
        What each printed on standard output.

    Raises
    ------
    PageError
        If a command fails; its text has what was printed.
    """
    found = list(blocks(text))
    lines = ["set -euo pipefail"]
    for number, block in enumerate(found):
        lines += [block.script(), f"echo '{_END.format(number=number)}'"]
    # The programs beside this Python come first: `python`, `corpus-explorer`.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONUTF8": "1", **environment},
        capture_output=True, encoding="utf-8", timeout=SECONDS, check=False,
    )  # fmt: skip
    if done.returncode:
        raise PageError(f"exit code {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    parts, rest = [], done.stdout
    for number in range(len(found)):
        part, _, rest = rest.partition(_END.format(number=number) + "\n")
        parts.append(part)
    return [Ran(block, part) for block, part in zip(found, parts, strict=True)]


def _plain(text: str) -> str:
    """The lines with any number as one sign, and without the spaces that align columns."""
    return "\n".join(" ".join(_NUMBER.sub("#", line).split()) for line in text.strip("\n").splitlines())


def _pattern(wanted: str) -> re.Pattern[str]:
    escaped = re.escape(_plain(wanted)).replace("\\\n", "\n")
    lines = [".*(?:\n.*)*?" if line == "…" else line.replace("…", ".*") for line in escaped.splitlines()]
    return re.compile("\n".join(lines))


def sample_fingerprint(folder: Path, environment: Mapping[str, str]) -> str:
    """Build the sample index if there is none, and return its fingerprint."""
    printed = run(
        '```sh\ncorpus-explorer info "$(corpus-explorer demo --folder --quiet)" --json\n```\n', folder, environment
    )
    return str(json.loads(printed[0].printed)["index"]["fingerprint"])


def renewed(text: str, ran: list[Ran]) -> str:
    """The page with what was printed; outputs with `…` are kept, since somebody chose their lines."""
    for each in reversed(ran):
        if each.block.output is not None and "…" not in each.block.output:
            first, last = each.block.span
            text = f"{text[:first]}{each.printed}{text[last:]}"
    return text


def main() -> None:
    """Run the pages that were named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("folder", type=Path)
    parser.add_argument("pages", type=Path, nargs="+")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    fingerprint = sample_fingerprint(args.folder, {})
    if args.renew:
        RECORDED.write_text(f"{fingerprint}\n", encoding="utf-8")
    elif fingerprint != RECORDED.read_text(encoding="utf-8").strip():
        raise SystemExit("The pages show the outputs of another sample index: run them with --renew.")
    failed = False
    for page in args.pages:
        text = page.read_text(encoding="utf-8")
        folder = args.folder / page.stem
        folder.mkdir(parents=True, exist_ok=True)
        ran = run(text, folder, {})
        if args.renew:
            page.write_text(renewed(text, ran), encoding="utf-8")
        for each in () if args.renew else ran:
            if each.differs():
                print(f"{page}:\n{each.block.code}\n{each.differs()}", file=sys.stderr)
                failed = True
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
