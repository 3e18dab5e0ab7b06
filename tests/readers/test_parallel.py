"""Parallel texts: files written by hand as translation programs write them, and the segments that are read of them."""

from __future__ import annotations

import io
import random

import pytest

from explorer import build_index, estimate_build, open_index
from explorer.core.files.streams import BrokenStreamError
from explorer.documents.content import Content
from explorer.documents.kinds import kind_named, kind_of
from explorer.documents.read_settings import ReadSettings
from explorer.errors import SourceError

TMX = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4">
  <header srclang="en-US" datatype="plaintext"><note>not text</note></header>
  <body>
    <tu tuid="7" creationdate="20200102T123000Z" changedate="20210102T000000Z">
      <note>a note</note><prop type="x">y</prop>
      <tuv xml:lang="en-US"><seg>The <bpt i="1">&lt;b&gt;</bpt>cat<ept i="1">&lt;/b&gt;</ept> sat &amp;
        slept.</seg></tuv>
      <tuv xml:lang="de-AT" creationdate="20200103T000000Z"><seg>Die <hi>Katze</hi> saß und schlief.</seg></tuv>
    </tu>
    <tu tuid="8"><tuv xml:lang="en-GB"><seg/></tuv>
      <tuv xml:lang="DE"><seg>Nur <ph x="1">code</ph>deutsch.</seg></tuv></tu>
    <tu><tuv xml:lang="en-US"><seg>日本語</seg></tuv></tu>
  </body>
</tmx>
"""
OLD_TMX = """<tmx version="1.1"><body><tu>
<tuv lang="FR" creationdate="1999"><seg>Le chat.</seg></tuv><tuv lang="EN"><seg>The cat.</seg></tuv>
</tu></body></tmx>"""
XLIFF1 = """<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="a.txt" source-language="en" target-language="fr"><header><note>n</note></header><body>
    <trans-unit id="1"><source>The <g id="1">cat</g><x id="2"/> sat.</source><target>Le chat.</target>
      <alt-trans><source>not this</source><target>ni ça</target></alt-trans><note>no</note></trans-unit>
    <trans-unit id="2"><source>Two</source><seg-source><mrk mtype="seg">Two</mrk></seg-source></trans-unit>
  </body></file>
  <file original="b.txt" source-language="en" target-language="es"><body>
    <trans-unit id="1"><source>The dog</source><target>El perro</target></trans-unit>
  </body></file>
</xliff>
"""
XLIFF2 = """<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="ja">
  <file id="f1"><unit id="u1"><notes><note>no</note></notes>
    <segment id="s1"><source>The <pc id="1">cat</pc>.</source><target>猫。</target></segment>
    <ignorable><source> </source></ignorable>
    <segment><source>It<ph id="2"/> sat.</source></segment>
  </unit></file>
</xliff>
"""
EMPTY = '<tmx version="1.4"><header srclang="en"/><body/></tmx>'


def read(text, notes=None, **settings):
    data = text if isinstance(text, bytes) else text.encode()
    stream = io.BufferedReader(io.BytesIO(data))
    note = (lambda kind, reason: notes.append(reason)) if notes is not None else (lambda kind, reason: None)
    return list(
        kind_named("parallel").read(
            Content("a.tmx", "a.tmx", stream, stream, note=note, reading=ReadSettings(**settings))
        )
    )


DATES = {"date": "2020-01-02T12:30:00Z", "changed": "2021-01-02T00:00:00Z"}
GOLD = {
    "tmx in German": (
        TMX,
        "de",
        [
            ("Die Katze saß und schlief.", {"id": "7", **DATES, "date": "2020-01-03T00:00:00Z", "language": "de-AT"}),
            ("Nur deutsch.", {"id": "8", "language": "DE"}),
        ],
    ),
    "tmx in its first language": (
        TMX,
        "",
        [("The cat sat & slept.", {"id": "7", **DATES, "language": "en-US"}), ("日本語", {"language": "en-US"})],
    ),
    "tmx 1.1": (OLD_TMX, "en", [("The cat.", {"language": "EN"})]),
    "xliff 1.2 in its source language": (
        XLIFF1,
        "",
        [
            ("The cat sat.", {"file": "a.txt", "id": "1", "language": "en"}),
            ("Two", {"file": "a.txt", "id": "2", "language": "en"}),
            ("The dog", {"file": "b.txt", "id": "1", "language": "en"}),
        ],
    ),
    "xliff 1.2 in Spanish": (XLIFF1, "es", [("El perro", {"file": "b.txt", "id": "1", "language": "es"})]),
    "xliff 2.0": (
        XLIFF2, "", [("The cat.", {"id": "u1", "language": "en"}), ("It sat.", {"id": "u1", "language": "en"})]
    ),
    "xliff 2.0 in Japanese": (XLIFF2, "JA", [("猫。", {"id": "u1", "language": "ja"})]),
    "without segments": (EMPTY, "", []),
}  # fmt: skip


@pytest.mark.parametrize("name", GOLD)
def test_the_segments_of_one_language_are_documents(name):
    text, language, expected = GOLD[name]
    for data in (text, text.replace("UTF-8", "UTF-16").encode("utf-16")):
        found = read(data, language=language)
        assert [(each.text, each.metadata) for each in found] == expected
        assert [each.place for each in found] == list(range(len(expected)))


def test_the_other_languages_are_noted():
    notes = []
    read(TMX, notes)
    assert notes == ["en-US, and not de-AT, DE"]
    assert read(OLD_TMX, notes, language="it") == [] and notes[1:] == ["it, and not FR, EN"]


@pytest.mark.parametrize(
    ("text", "name"), [(TMX, "x.tmx"), (XLIFF1, "x.sdlxliff"), (TMX, "memory"), (XLIFF2, "memory")]
)
def test_files_are_recognized_by_their_name_or_their_root(text, name):
    assert kind_of(text.encode(), name).name == "parallel"
    assert kind_of(text.encode(), "x.xml").name == "xml"


def test_a_file_is_built_in_the_language_that_is_chosen(tmp_path):
    (tmp_path / "memory.tmx").write_text(TMX)
    made = build_index(tmp_path / "memory.tmx", tmp_path / "out", tokenizer="bytes", language="de")
    first, second = open_index(tmp_path / "out").documents
    assert (first.text, second.text) == ("Die Katze saß und schlief.", "Nur deutsch.")
    assert first.metadata["metadata"]["id"] == "7"
    assert made.noticed == {"files of which one language is read": ["memory.tmx (de, and not en-US)"]}
    assert estimate_build(tmp_path / "memory.tmx", tokenizer="bytes").samples[0].beginning == "The cat sat & slept."


def test_a_file_that_is_not_well_formed_is_an_error_and_keeps_what_precedes(tmp_path):
    (tmp_path / "memory.tmx").write_text(TMX[: TMX.index("日本語")])
    with pytest.raises(SourceError, match=r"memory\.tmx is damaged or cut short: it is not a complete TMX file"):
        build_index(tmp_path / "memory.tmx", tmp_path / "out", tokenizer="bytes")
    made = build_index(tmp_path / "memory.tmx", tmp_path / "out", tokenizer="bytes", skip_bad=True)
    assert made.document_count == 1


def test_entities_do_not_grow_and_nothing_is_loaded():
    laughs = "".join(f'<!ENTITY x{n} "&x{n - 1};&x{n - 1};&x{n - 1};">' for n in range(1, 40))
    outside = '<!ENTITY file SYSTEM "file:///etc/hostname">'
    text = f'<!DOCTYPE tmx [<!ENTITY x0 "ha">{laughs}{outside}]>' + OLD_TMX.replace("Le chat.", "&x39;&file;a")
    (found,) = read(text)
    assert len(found.text) < 100
    with pytest.raises(BrokenStreamError):
        read("<tmx><body>" + "<tu>" * 100_000)


@pytest.mark.parametrize("text", [TMX, XLIFF1, XLIFF2], ids=["tmx", "xliff 1.2", "xliff 2.0"])
def test_mutated_files_are_segments_or_errors(text, scale):
    parts = [
        "<seg>",
        "</seg>",
        "<tu>",
        "</tuv>",
        "<source>",
        "<ph>",
        "</ph>",
        "&amp;",
        "&a;",
        "<!--",
        "]]>",
        '"',
        "<",
        "\0",
    ]
    segments = errors = 0
    for seed in range(scale(100, 2_000)):
        generator = random.Random(seed)
        found = text
        for _ in range(generator.choice([1, 2, 5])):
            at = generator.randrange(len(found))
            found = found[:at] + generator.choice(parts) + found[at + generator.randrange(9) :]
        try:
            segments += len(read(found, language="en"))
        except BrokenStreamError:
            errors += 1
    assert errors and (segments or scale(1, 0))
