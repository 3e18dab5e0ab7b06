"""Errors are data: names and fields on each, sentences without a surface's controls, hints from one row."""

from __future__ import annotations

import ast
import json
import os
import pickle
import re
import shutil
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import _fastsa
import explorer
from explorer import errors, i18n
from explorer.analyses.search.language import QuerySyntaxError
from explorer.building.sources.readers import ReadOptions, ReadState, list_files, read_documents
from explorer.cli import hints as cli_hints
from explorer.cli.session import answer
from explorer.core.hints import REMEDIES, Hint, hints_for, with_hints, with_remedies
from explorer.core.jobs.child import ChildEndedError
from explorer.errors import CorpusError, DamagedIndexError, NotAnIndexError, QueryError, SourceError
from explorer.i18n import mark, tr
from explorer.index.guard import told_as

PACKAGE = Path(explorer.__file__).parent
FAMILY = {
    "ExportError",
    "OutputError",
    "UsageError",
    "ChildEndedError",
    "QuerySyntaxError",
    "ServerError",
    "RemoteError",
    "ServeError",
    "TokenError",
    "ChatError",
    "ClusterError",
} | {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, CorpusError) and name not in ("Cancelled", "CapabilityError")
}
OF_A_SURFACE = re.compile(r"(?<![-\w])--[a-z]|\b(button|menu|click|press|paste|option|tick)\b", re.I)
REMEDY = re.compile(
    r"[.:;!?] +(add|build|change|check|choose|close|connect|convert|copy|delete|divide|download|fix|free|give|install"
    r"|keep|leave|make|move|name|open|pick|put|rebuild|remove|rename|repair|replace|run|select|set|shorten|split|start"
    r"|try|type|update|use|wait|write)\b",
    re.I,
)
"""An instruction at the start of a later sentence or clause."""
NOT_LISTED = {"match", "no-mcp"}
"""Of errors that are not among the places: about missing capabilities, and those that the command line itself makes."""
GUI_HINTS = {
    "bad-record": ("skip_bad", "exclude", "text_field"),
    "check_fit": ("check_fit",),
    "field": ("field",),
    "format": ("format",),
    "on_bad": ("on_bad",),
    "restart": ("restart",),
    "skip_bad": ("skip_bad", "exclude"),
    "text_field": ("metadata", "exclude", "text_field"),
    "unfit-encoding": ("exclude", "skip_bad"),
}


@dataclass(frozen=True)
class Site:
    """A place that makes an error: its sentences, its names and the fields that it gives."""

    where: str
    kind: str
    sentences: tuple[str, ...]
    reason: str
    option: str
    fields: frozenset[str]

    def values(self) -> dict[str, object]:
        """A value for each field, a number where the sentence formats one."""
        formats = {name: form for text in self.sentences for _, name, form, _ in string.Formatter().parse(text) if name}
        return {name: 7 if formats.get(name) else "{x} of it" for name in self.fields}

    def error(self, sentence: str) -> CorpusError:
        """An error as this place makes it, of its class unless that is of another module."""
        kind = getattr(errors, self.kind, CorpusError)
        return kind(sentence, reason=self.reason, option=self.option, **self.values())


def sources() -> Iterator[Path]:
    """Every module, also where the package's folders are links."""
    for folder, folders, names in os.walk(PACKAGE, followlinks=True):
        folders[:] = sorted(folders)
        yield from (Path(folder) / name for name in sorted(names) if name.endswith(".py"))


def constant(node: ast.expr | None) -> str:
    node = node.body if isinstance(node, ast.IfExp) else node
    return str(node.value) if isinstance(node, ast.Constant) else ""


def used_in(text: str) -> set[str]:
    """The fields of a sentence."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def marked(node: ast.AST) -> list[str]:
    """Sentences given as `mark("…")`, in one branch or several."""
    return [
        constant(call.args[0])
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "mark"
    ]


def kind_of(node: ast.AST) -> str:
    """The class of the error that a call makes, "" if none: `ServerError(…)`, or `self._error(…)` of a connection."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Name):
        return node.func.id if node.func.id in FAMILY else ""
    own = isinstance(node.func, ast.Attribute) and node.func.attr == "_error" and len(node.args) > 1
    return "ServerError" if own else ""


@cache
def sites() -> list[Site]:
    """Every place of the program that makes an error, outside of the command line, which speaks for itself."""
    found = []
    for path in sources():
        parts = path.relative_to(PACKAGE).parts
        if parts[0] in ("cli", "errors.py"):
            continue
        text = path.read_text(encoding="utf-8")
        # Most files make none, and need not be parsed.
        if not any(f"{kind}(" in text for kind in (*FAMILY, "_error")):
            continue
        module = ast.parse(text)
        for node in ast.walk(module):
            kind = kind_of(node)
            if not isinstance(node, ast.Call) or not kind:
                continue
            given = {word.arg: word.value for word in node.keywords if word.arg}
            if isinstance(given.get("reason"), ast.Name):
                # A function that gives its own arguments on; its calls are places.
                continue
            names = frozenset(given) - {"reason", "option"}
            if kind == "ServerError" and isinstance(node.func, ast.Attribute):
                given["reason"], names = node.args[1], names | {"host"}
            texts = tuple(marked(node.args[0])) if node.args else ()
            if not texts and any(word.arg is None for word in node.keywords):
                # A sentence and its fields from a table of the module.
                texts = tuple(marked(module))
                names |= {name for text in texts for name in used_in(text)}
            elif not texts and node.args and isinstance(node.args[0], ast.Attribute | ast.Subscript | ast.Name):
                # A sentence of an object or a table that the module makes.
                texts = tuple(text for text in marked(module) if used_in(text) and used_in(text) <= names)
            where = f"{'/'.join(parts)}:{node.lineno}"
            reason, option = constant(given.get("reason")), constant(given.get("option"))
            found.append(Site(where, kind, texts, reason, option, names))
    return found


OUTCOMES = ("kept", "nothing-kept")


def test_every_error_has_a_sentence_and_a_reason():
    assert len(sites()) > 90
    for site in sites():
        assert site.sentences, f"{site.where}: the sentence is not marked"
        assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", site.reason) or site.reason == "", site.where
    assert [site.where for site in sites() if not site.reason] == []


def test_the_command_line_gives_reasons_too():
    """Its sentences are English, and an f-string has no fields: it would be taken for a format."""
    seen = 0
    for path in sources():
        if path.relative_to(PACKAGE).parts[0] != "cli":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FAMILY:
                names = {word.arg for word in node.keywords}
                seen += 1
                assert "reason" in names or node.func.id == "UsageError", f"{path.name}:{node.lineno}"
                if names - {"reason", "option"}:
                    assert isinstance(node.args[0], ast.Constant), f"{path.name}:{node.lineno}"
    assert seen > 15


def test_sentences_have_their_fields():
    for site in sites():
        for text in site.sentences:
            assert not site.fields or used_in(text) <= site.fields, site.where


def test_no_sentence_of_the_core_names_a_control():
    """Options, buttons and menus belong to one surface; the sentence is shown on all."""
    for site in sites():
        for text in site.sentences:
            assert not OF_A_SURFACE.search(text), f"{site.where}: {text}"


@pytest.mark.qt
def test_no_sentence_of_the_core_holds_a_remedy():
    """What to do is a hint, which each surface gives in its own words: a later sentence or clause is not an order."""
    for site in sites():
        for text in site.sentences:
            assert not REMEDY.search(text), f"{site.where}: {text}"


@pytest.mark.parametrize(
    ("sentence", "is_remedy"),
    [
        ("It is full. Free some space.", True),
        ("It is cut short: copy it again.", True),
        ("It is cut; use another", True),
        ("It is cut. The drives that you use are full.", False),
        ("It has no field: choosing one is not possible.", False),
    ],
)
def test_what_a_remedy_is(sentence, is_remedy):
    assert bool(REMEDY.search(sentence)) == is_remedy


@pytest.mark.qt
def test_three_surfaces():
    """The library, the command line and the window show the same facts, and each its own remedy or none."""
    from explorer.gui.presenting import hints as gui_hints

    def wrong(site, sentence):
        error = site.error(sentence)
        said, on_line, in_window = str(error), with_hints(error, cli_hints.HINTS), gui_hints.told(error)
        assert said and on_line.startswith(said) and in_window.startswith(said), site.where
        if re.search(r"\b(button|menu|click|screen)\b", on_line) or "--" in in_window.removeprefix(said):
            return "the remedy is of another surface"
        if gui_hints.offers(error) != GUI_HINTS.get(site.reason, GUI_HINTS.get(site.option, ())):
            return "the window offers something else"
        return ""

    found = [(site.where, told) for site in sites() for text in site.sentences if (told := wrong(site, text))]
    assert found == []


@pytest.mark.qt
def test_every_hint_is_of_an_error_and_has_its_fields():
    from explorer.gui.presenting import hints as gui_hints

    for rows in (cli_hints.HINTS, gui_hints.HINTS):
        keys = [row.key for row in rows]
        assert keys == sorted(set(keys))
        for row in rows:
            named = [site for site in sites() if row.key in (site.reason, site.option)]
            if row.key in FAMILY:
                named = [site for site in sites() if site.kind == row.key]
            assert named or row.key in OUTCOMES or row.key in NOT_LISTED, row.key
            assert all(used_in(row.text) <= site.fields for site in named), row.key


@pytest.mark.qt
def test_every_option_has_a_hint_on_the_command_line():
    for site in sites():
        if site.option:
            assert hints_for(site.error("x"), cli_hints.HINTS), f"{site.where}: {site.option}"


def test_a_hint_is_one_row(monkeypatch, capsys, tmp_path):
    """What `explorer count` prints after its sentence, given by a row alone."""
    missing = tmp_path / "nowhere"
    assert answer(["count", str(missing), "x"]) == 2
    before = capsys.readouterr().err
    row = Hint("no-folder", "See {path} for yourself.")
    monkeypatch.setattr(cli_hints, "HINTS", with_remedies((row,)))
    assert answer(["count", str(missing), "x"]) == 2
    common = next(row.text for row in REMEDIES if row.key == "no-folder")
    assert capsys.readouterr().err == before.replace(common, f"See {missing} for yourself.") != before


def test_a_row_of_the_reason_comes_before_that_of_the_option():
    rows = (Hint("o", "Of the option."), Hint("r", "Of the reason."), Hint("kept", "It is in {kept}."))
    error = CorpusError(mark("It failed."), reason="r", option="o")
    assert with_hints(error, rows) == "It failed. Of the reason."
    assert with_hints(CorpusError(mark("It failed."), option="o"), rows) == "It failed. Of the option."
    later = error.followed_by(mark("Something is left in {kept}."), "kept", kept=Path("/a"))
    assert with_hints(later, rows) == "It failed. Something is left in /a. Of the reason. It is in /a."
    assert (str(error), error.outcome) == ("It failed.", "")


def test_a_sentence_without_fields_keeps_its_braces():
    error = CorpusError('The field "{a}" is odd.')
    assert str(error) == 'The field "{a}" is odd.'
    assert str(error.followed_by(mark("Nothing is left."), "gone")) == 'The field "{a}" is odd. Nothing is left.'
    later = error.followed_by(mark("It is in {kept}."), "kept", kept="k").followed_by(
        mark("See {log}."), "log", log="l"
    )
    assert str(later) == 'The field "{a}" is odd. It is in k. See l.'


@pytest.mark.parametrize(
    "error",
    [
        DamagedIndexError(mark("{path} at {byte:,}"), reason="cut-short", path=Path("/x {y}"), byte=np.int64(1_000)),
        QuerySyntaxError("Nothing here.", 3, 5, reason="nothing-before"),
        errors.Cancelled(),
        errors.CapabilityError("Not {here}.", capability="sorting"),
        ChildEndedError(mark("code {code}"), code=-9),
        SourceError(mark("{cause}"), cause=ValueError("no {value}")).followed_by(mark("In {kept}."), "kept", kept="k"),
        CorpusError(mark("{names}"), names=["a", "b"]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_fields_survive_pickling(error):
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error) and str(copy) == str(error)
    assert (copy.reason, copy.option, copy.outcome) == (error.reason, error.option, error.outcome)
    assert dict(copy.fields) == dict(error.fields) and vars(copy) == vars(error)


def test_a_row_of_the_option_comes_before_that_of_the_class():
    rows = (Hint("DamagedIndexError", "Of the class."), Hint("o", "Of the option."))
    assert with_hints(DamagedIndexError(mark("It failed."), reason="r"), rows) == "It failed. Of the class."
    assert (
        with_hints(DamagedIndexError(mark("It failed."), reason="r", option="o"), rows) == "It failed. Of the option."
    )
    assert with_hints(CorpusError(mark("It failed."), reason="r"), rows) == "It failed."


def test_a_row_of_a_surface_replaces_the_common_one():
    own = Hint("unreadable", "Only here.")
    rows = with_remedies((own,))
    assert [row for row in rows if row.key == "unreadable"] == [own]
    assert {row.key for row in rows} == {row.key for row in REMEDIES}


def test_the_form_for_programmers_is_filled_in():
    error = DamagedIndexError(mark("{path} at {byte:,}"), reason="cut-short", path=Path("/x"), byte=1_000)
    assert repr(error) == "DamagedIndexError('/x at 1,000', reason='cut-short')"
    assert repr(errors.Cancelled()) == "Cancelled('Cancelled.', reason='cancelled')"


def test_a_sentence_is_translated_when_it_is_shown():
    error = CorpusError(mark("{n:,} bytes"), n=1_234)
    try:
        i18n.use(i18n.Words((), i18n.NumberFormat(".", ",")))
        assert str(error) == "1.234 bytes" == tr("{n:,} bytes", n=1_234)
    finally:
        i18n.use(i18n.Words())
    assert str(error) == "1,234 bytes"


def test_what_has_no_fields_is_not_a_format():
    assert str(CorpusError("a {b} c")) == "a {b} c"


# --- real bad input ----------------------------------------------------------------------------------


@pytest.fixture
def copy(small_index, tmp_path):
    shutil.copytree(small_index, tmp_path / "copy")
    return tmp_path / "copy"


def caught(act, *arguments):
    with pytest.raises(CorpusError) as raised:
        act(*arguments)
    return raised.value


def test_folders_that_are_not_indexes(tmp_path, copy):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x")
    (tmp_path / "begun").mkdir()
    (tmp_path / "begun" / "build.json").write_text("{}")
    for name, reason in (
        ("gone", "no-folder"),
        ("file", "not-a-folder"),
        ("empty", "not-an-index"),
        ("begun", "interrupted-build"),
    ):
        error = caught(explorer.open_index, tmp_path / name)
        assert isinstance(error, NotAnIndexError)
        assert (error.reason, error.path) == (reason, str(tmp_path / name))


def test_a_document_that_begins_nowhere(copy):
    offsets = np.fromfile(copy / "offset.0", dtype="<u8")
    offsets[2] += 2
    offsets.tofile(copy / "offset.0")
    error = caught(explorer.open_index(copy).index.shards[0].document_start, 2)
    assert (error.reason, error.path) == ("no-document-there", str(copy / "offset.0"))
    assert (error.document, error.byte, error.fields["start"]) == (2, 16, int(offsets[2]))


def test_an_entry_that_points_nowhere(copy):
    width = (copy / "table.0").stat().st_size // (copy / "tokenized.0").stat().st_size * 2
    rank = 5
    table = bytearray((copy / "table.0").read_bytes())
    table[rank * width : (rank + 1) * width] = b"\xff" * width
    (copy / "table.0").write_bytes(table)
    shard = explorer.open_index(copy).index.shards[0]
    with pytest.raises(DamagedIndexError) as raised, shard.guarded():
        shard.engine.positions(np.array([rank], dtype=np.int64))
    error = raised.value
    assert (error.reason, error.path, error.byte) == ("entry-points-nowhere", str(copy / "table.0"), rank * width)
    assert error.fields["entry"] == rank


def test_metadata_that_is_not_json(copy):
    lines = (copy / "metadata.0").read_bytes()
    begin = lines.index(b"\n") + 1
    (copy / "metadata.0").write_bytes(lines[:begin] + b"!" + lines[begin + 1 :])
    error = caught(explorer.open_index(copy).index.documents.metadata, np.array([1]))
    assert (error.reason, error.path) == ("metadata-not-json", str(copy / "metadata.0"))
    assert (error.line, error.byte, error.document) == (2, begin, 1)


@pytest.mark.parametrize("name", ["table.0", "offset.0"])
def test_a_file_that_was_cut(copy, name):
    data = (copy / name).read_bytes()
    (copy / name).write_bytes(data[:-1])
    (copy / "index.json").unlink()
    error = caught(explorer.open_index, copy, copy / "tokenizer.json")
    assert (error.reason, error.path) == ("cut-short", str(copy / name))
    assert error.fields["size"] == len(data) - 1


def test_a_bad_line_of_a_source(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"text": "one"}) + '\n{"text"\n')
    state = ReadState()
    error = caught(lambda: list(read_documents(list_files([path], state), ReadOptions(), state)))
    assert (error.reason, error.option, error.path, error.line) == ("bad-record", "skip_bad", str(path), 2)
    assert "--on-bad" not in str(error) and "--on-bad skip" in with_hints(error, cli_hints.HINTS)


@pytest.mark.parametrize(
    ("error", "reason", "fields"),
    [
        (_fastsa.BadIds("range", 99_999, 200), "id-out-of-range", {"id": "99999", "largest": 200}),
        (_fastsa.BadIds("type", "the", None), "not-token-ids", {"value": "'the'"}),
        (_fastsa.BadIds("dtype", np.dtype("<U3"), None), "not-token-ids", {"value": "<U3"}),
        (_fastsa.TooBroad(3, 9, 12), "too-broad", {"done": 3, "groups": 9, "count": 12}),
        (_fastsa.Stopped(), "cancelled", {}),
        (_fastsa.DamagedTable(4, 3, "t"), "entry-points-nowhere", {"path": "t", "byte": 12, "entry": 4}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_errors_of_the_engine_carry_their_data(error, reason, fields):
    told = told_as(error)
    assert told is not None and told.reason == reason and dict(told.fields) == fields


def test_other_errors_are_not_of_the_engine():
    assert told_as(ValueError("no")) is None


def test_ids_are_refused_alike_by_both_ways_to_count(small_index):
    corpus = explorer.open_index(small_index)
    for ask in (corpus.count, corpus.index.hits.find):
        error = caught(ask, [99_999])
        assert (type(error), error.reason, error.fields["id"]) == (QueryError, "id-out-of-range", "99999")


SAME_REMEDY = {
    "bad-line", "cannot-add", "disk-full", "empty-query", "hub-refused", "list-too-long", "metadata-not-json",
    "no-distributed", "no-text", "no-tokenizer", "no-tokens-given", "not-a-table", "not-a-tokenizer",
    "not-an-index", "not-utf-8", "pattern-too-long", "remembered-tokenizer", "token-widths-differ",
    "tokenizer-unknown", "tokenizers-differ", "too-broad", "too-many-tokens-left-out", "unknown-ending",
    "unreadable",
}  # fmt: skip
"""Reasons with several sentences for which one remedy is right: each pair was looked at."""


def test_a_remedy_is_about_one_thing():
    """A server that does not answer had the reason, and so the remedy, of a package that is not installed."""
    from explorer.gui.presenting import hints as gui_hints

    said: dict[str, set[str]] = {}
    texts = (path.read_text(encoding="utf-8") for path in sources())
    for text in (text for text in texts if "reason=" in text or "_error(" in text or "ServerError(" in text):
        for node in ast.walk(ast.parse(text)):
            reasons = [word.value for word in getattr(node, "keywords", ()) if word.arg == "reason"]
            reasons += node.args[1:2] if kind_of(node) == "ServerError" else []
            if reasons and isinstance(node, ast.Call) and node.args and (reason := constant(reasons[0])):
                texts = [text.value for text in ast.walk(node.args[0]) if isinstance(text, ast.Constant)]
                said.setdefault(reason, set()).add(" ".join(map(str, texts)))
    remedies = {hint.key for hints in (cli_hints.HINTS, gui_hints.HINTS) for hint in hints}
    assert {reason for reason, texts in said.items() if len(texts) > 1 and reason in remedies} <= SAME_REMEDY
    assert len(said["no-server"]) == 1
