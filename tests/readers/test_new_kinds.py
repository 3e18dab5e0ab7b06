"""Subtitles, words in lines and e-mail: texts written by hand, and what is read of them."""

from __future__ import annotations

import io
import random
from email.message import EmailMessage

import pytest

from explorer.files.encoding import NotTextError
from explorer.readers.content import Content
from explorer.readers.kinds import kind_named, kind_of

SRT = """\ufeff1\r
00:00:01,000 --> 00:00:04,000 X1:10 X2:20\r
<i>Where</i> were you,\r
{\\an8}Anna?\r
\r
2\r
00:00:04,500 --> 00:00:06,000\r
At home. 1 < 2 & 3 <sic>\r
\r
and here\r
3\r
00:00:07,000 --> 00:00:08,000\r
\r
4\r
00:01:00,000 --> 00:01:02,000\r
1984\r
"""
VTT = """WEBVTT - A talk
Kind: captions

STYLE
::cue { color: red }

NOTE
not shown --> not a time

intro
00:01.000 --> 00:04.000 align:start
<v Roger Bingham>We are in <c.loud>New York</c> &amp; it
is late

00:00:05.000 --> 00:00:06.000
<00:00:05.500>so<c> late</c>
"""
CONLLU = """# newdoc id = a1
# newpar
# sent_id = 1
# text = Don't go to the café.
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\t_\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_
3.1\tgone\tgo\tVERB\t_\t_\t_\t_\t_\t_
4\tto\tto\tADP\t_\t_\t6\tcase\t_\t_
5\tthe\tthe\tDET\t_\t_\t6\tdet\t_\t_
6\tcafé\tcafé\tNOUN\t_\t_\t3\tobl\t_\tLang=fr|SpaceAfter=No
7\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_

1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\tSpaceAfter=No
2\t!\t!\tPUNCT\t_\t_\t1\tpunct\t_\t_

# newpar
1\tLater\tlater\tADV\t_\t_\t0\troot\t_\t_

# newdoc
1\t東京\t東京\tPROPN\t_\t_\t0\troot\t_\tSpaceAfter=No
2\tで\tで\tADP\t_\t_\t1\tcase\t_\t_
"""
VERTICAL = """<corpus>
<doc id="1" author="A. &amp; B." year='1999'>
<text type="inner">
<p>
<s>
The\tDT\tthe
cat\tNN\tcat
<g/>
,\t,\t,
&lt;b&gt;\tX\tx
</s>
<s>
sat\tVBD\tsit
</s>
</p>
<p>
Again
</p>
</text>
</doc>
<doc id="2">
<
a<b\tX
</doc>
</corpus>
"""
MBOX = b"""From anna@example.org Mon Jan  1 12:00:00 2024
From: =?utf-8?q?Anna_M=C3=BCller?= <anna@example.org>
To: Bob <bob@example.org>
Date: Mon, 1 Jan 2024 12:00:00 +0100
Subject: A question
Content-Type: text/plain; charset=iso-8859-1

Is the caf\xe9 open?
>From here it looks closed.
From the street, too.

From - Tue Jan 02 09:00:00 2024
Subject: Re: A question
From: bob@example.org
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

<html><head><title>no</title></head><body><p>Yes,</p><p>it is.</p></body></html>
"""


def documents(kind, data, **options):
    stream = io.BufferedReader(io.BytesIO(data if isinstance(data, bytes) else data.encode()))
    return list(kind_named(kind).read(Content("a", "a", stream, stream, **options)))


def texts(kind, data):
    return [document.text for document in documents(kind, data)]


def message(**parts):
    made = EmailMessage()
    made["Subject"] = "Notes"
    made.set_content(parts.get("plain", "plain text\n"))
    if "html" in parts:
        made.add_alternative(parts["html"], subtype="html")
    made.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="a.png")
    made.add_attachment("not the body", filename="notes.txt")
    return made


def test_the_cues_of_srt_are_lines_without_numbers_times_and_tags():
    assert texts("subtitles", SRT) == ["Where were you, Anna?\nAt home. 1 < 2 & 3 <sic> and here\n1984"]


def test_the_cues_of_webvtt_are_lines_without_names_notes_and_styles():
    assert texts("subtitles", VTT) == ["We are in New York & it is late\nso late"]


def test_conllu_is_running_text_by_document_and_paragraph():
    first, second = documents("conllu", CONLLU)
    assert (first.text, first.metadata, first.place) == ("Don't go to the café. Yes!\nLater", {"id": "a1"}, 0)
    assert (second.text, second.metadata, second.place) == ("東京で", {}, 1)


def test_a_line_that_is_not_of_conllu_is_a_problem_with_its_place():
    (found,) = documents("conllu", "1\tYes\nno columns\n")
    assert found.problem == "line 2 is not a word of CoNLL-U"


def test_vertical_files_are_running_text_with_the_attributes_of_their_documents():
    first, second = documents("vertical", VERTICAL)
    assert first.text == "The cat, <b> sat\nAgain"
    assert first.metadata == {"id": "1", "author": "A. & B.", "year": "1999"}
    assert (second.text, second.metadata, second.place) == ("< a<b", {"id": "2"}, 1)


def test_a_vertical_file_without_documents_is_one():
    assert texts("vertical", "a\tDT\ncat\tNN\n") == ["a cat"]
    assert texts("vertical", "<text id='1'>\na\n</text>\n<text id='2'>\n</text>\n") == ["a", ""]


def test_a_mailbox_is_its_messages():
    first, second = documents("mbox", MBOX)
    assert first.text == "A question\n\nIs the café open?\nFrom here it looks closed.\nFrom the street, too."
    assert first.metadata == {
        "from": "Anna Müller <anna@example.org>",
        "to": "Bob <bob@example.org>",
        "date": "2024-01-01T12:00:00+01:00",
        "subject": "A question",
    }
    assert (second.text, second.place) == ("Re: A question\n\nYes,\n\nit is.", 1)


def test_a_message_is_its_subject_and_plain_text_without_attachments():
    made = message(plain="the café\n", html="<p>not this</p>")
    assert texts("eml", made.as_bytes()) == ["Notes\n\nthe café"]


def test_a_message_that_is_not_readable_is_a_problem():
    (found,) = documents("eml", b"Content-Type: text/plain; charset=utf-8\n\n" + bytes(range(256)))
    assert found.text == "" and found.problem


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (SRT.encode(), "subtitles"),
        (VTT.encode(), "subtitles"),
        (MBOX, "mbox"),
        (b"Return-Path: <a@b.c>\nReceived: from x\n by y\nSubject: z\n", "eml"),
        (b"From: a play\nTo: the reader\nDate: today\n", "text"),
        (b"1\nchapter one", "text"),
        (b"From me to you in 1999\nno header", "text"),
    ],
)
def test_texts_without_an_ending_are_recognized_by_their_beginning(head, kind):
    assert kind_of(head, "inbox").name == kind
    assert kind_of(head, "inbox.txt").name == "text"


SOURCES = {"subtitles": VTT.encode(), "conllu": CONLLU.encode(), "vertical": VERTICAL.encode(), "mbox": MBOX,
           "eml": message(html="<p>x</p>").as_bytes()}  # fmt: skip
SPECIAL = [b"-->", b"\n\n", b"From x 1999\n", b"<doc ", b"<", b'="', b"=?utf-8?q?", b"\t", b"boundary=", b"\0",
           b"\xff", b"Content-Type: multipart/mixed; boundary=a\n\n--a\n", b"charset=nothing",
           b"# newdoc\n", b"1-9\t"]  # fmt: skip


@pytest.mark.parametrize("kind", SOURCES)
def test_damaged_files_are_documents_or_problems(kind):
    generator = random.Random(7)
    for _ in range(400):
        data = bytearray(SOURCES[kind])
        for _ in range(generator.choice([1, 3, 20])):
            at = generator.randrange(len(data) + 1)
            data[at : at + generator.choice([0, 1, 30])] = generator.choice(SPECIAL)
        try:
            found = documents(kind, bytes(data), encoding="cp1252")
        except NotTextError:
            continue
        assert [document.place for document in found] == list(range(len(found)))
        assert all(isinstance(document.text, str) for document in found)


def test_deeply_nested_parts_are_a_problem_and_no_crash():
    data = b"".join(b"Content-Type: multipart/mixed; boundary=a%d\n\n--a%d\n" % (n, n) for n in range(5_000))
    (found,) = documents("eml", data)
    assert found.text == "" or found.problem


def test_an_outlook_message_is_named_with_what_to_do():
    with pytest.raises(NotTextError, match=r"this is an Outlook message \(MSG\); save it as EML"):
        kind_of(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "letter.msg")
