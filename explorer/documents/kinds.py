"""The kinds of files that are read, one row each: builds, texts to trace, dialogs and the reference follow them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from explorer.core.files import seven_zip
from explorer.core.files.archives import entries_of, is_archive
from explorer.core.files.encoding import BINARY, UTF8, NotTextError, check_head, wide_encoding
from explorer.core.files.signatures import FOREIGN, foreign_kind
from explorer.documents import archives
from explorer.documents.content import Content
from explorer.documents.declared import HTML_ENDINGS, declared_set
from explorer.documents.ids import token_ids
from explorer.documents.kind import Kind
from explorer.documents.markup import books, fiction_books, html_pages, parallel, saved_pages, xml_documents
from explorer.documents.office import open_documents, rich_text, slides, spreadsheets, word_documents
from explorer.documents.pdf import pdf
from explorer.documents.plain import annotated, plain_text, subtitles
from explorer.documents.record import Document
from explorer.documents.records import arrow_files, avro, json_files, json_lines, parquet, reddit, tables
from explorer.documents.web import crawls, mail, wiki_dumps
from explorer.i18n import mark, tr


def _read_archive(content: Content) -> Iterator[Document]:
    # The files in it are of the kinds of this table.
    return archives.read(content, archive_kind, checked_kind)


PLAIN = Kind(
    "text",
    mark("plain text"),
    mark("file"),
    plain_text.read,
    (".txt", ".md", ".markdown"),
    about=mark(
        "The whole file, also Markdown and source code, whatever the ending of its name is; the front matter of "
        "Markdown (YAML) is metadata."
    ),
)
KINDS: tuple[Kind, ...] = (
    PLAIN,
    Kind(
        "html",
        mark("web pages (HTML)"),
        mark("file"),
        html_pages.read,
        HTML_ENDINGS,
        begins=html_pages.begins_as_html,
        about=mark("The text between the tags, without scripts and styles; title, date and language are metadata."),
    ),
    # Before other XML, which begins alike.
    Kind(
        "fb2",
        mark("electronic books (FB2)"),
        mark("file"),
        fiction_books.read,
        fiction_books.ENDINGS,
        begins=fiction_books.begins_as_fb2,
        about=mark("As XML documents; title, authors, date and language are metadata."),
    ),
    Kind(
        "parallel",
        mark("parallel texts (TMX, XLIFF)"),
        mark("segment"),
        parallel.read,
        parallel.ENDINGS,
        begins=parallel.begins_as_parallel,
        about=mark("The segments of one language, each with its id, dates and language as metadata."),
    ),
    Kind(
        "xml",
        mark("XML documents"),
        mark("file"),
        xml_documents.read,
        xml_documents.ENDINGS,
        begins=xml_documents.begins_as_xml,
        about=mark("The text between the tags, without comments and the header of TEI."),
    ),
    Kind(
        "pdf",
        mark("PDF documents"),
        mark("file"),
        pdf.read,
        (".pdf",),
        signature=pdf.is_pdf,
        is_checked=False,
        about=mark(
            "The text without running headers and page numbers, with a paragraph per line and hyphens at line ends "
            "removed; title, author, date and number of pages are metadata."
        ),
        extra="documents",
        modules=("pypdfium2",),
    ),
    Kind(
        "docx",
        mark("Word documents (DOCX)"),
        mark("file"),
        word_documents.read,
        word_documents.ENDINGS,
        signature=word_documents.is_docx,
        is_checked=False,
        about=mark(
            "Paragraphs, tables and text boxes, then footnotes and endnotes, without headers, footers, comments and "
            "deleted or hidden text; title, author, date and language are metadata."
        ),
    ),
    Kind(
        "odt",
        mark("OpenDocument texts (ODT)"),
        mark("file"),
        open_documents.read_text,
        open_documents.TEXTS,
        signature=open_documents.is_odt,
        is_checked=False,
        about=mark("As Word documents, without formulas that are objects."),
    ),
    Kind(
        "pptx",
        mark("PowerPoint presentations (PPTX)"),
        mark("file"),
        slides.read,
        slides.ENDINGS,
        signature=slides.is_pptx,
        is_checked=False,
        about=mark(
            "The slides in their order, with tables, diagrams and the notes of each, separated by empty lines; title, "
            "author, date and language are metadata."
        ),
    ),
    Kind(
        "odp",
        mark("OpenDocument presentations (ODP)"),
        mark("file"),
        open_documents.read_slides,
        open_documents.PRESENTATIONS,
        signature=open_documents.is_odp,
        is_checked=False,
        about=mark("As PowerPoint presentations."),
    ),
    Kind(
        "rtf",
        mark("Rich Text Format (RTF)"),
        mark("file"),
        rich_text.read,
        rich_text.ENDINGS,
        signature=rich_text.is_rtf,
        is_checked=False,
        about=mark("As Word documents; title, author and date are metadata."),
    ),
    Kind(
        "epub",
        mark("electronic books (EPUB)"),
        mark("file"),
        books.read,
        books.ENDINGS,
        signature=books.is_epub,
        check=books.refuse_locked,
        is_checked=False,
        about=mark(
            "The pages in reading order, each as a web page, without the table of contents; title, authors, date and "
            "language are metadata."
        ),
    ),
    Kind(
        "mhtml",
        mark("saved web pages (MHTML)"),
        mark("file"),
        saved_pages.read,
        saved_pages.ENDINGS,
        begins=saved_pages.begins_as_page,
        is_checked=False,
        about=mark("As web pages; title, date and address (url) are metadata."),
    ),
    Kind(
        "subtitles",
        mark("subtitles (SRT, WebVTT, ASS, SUB)"),
        mark("file"),
        subtitles.read,
        (".srt", ".vtt", ".ass", ".ssa", ".sub"),
        begins=subtitles.begins_as_subtitles,
        about=mark("The text of the cues, one per line, without numbers, times and tags."),
    ),
    Kind(
        "conllu",
        mark("CoNLL-U"),
        mark("document"),
        annotated.read_conllu,
        (".conllu",),
        begins=annotated.begins_as_conllu,
        about=mark("The running text, with SpaceAfter=No; newdoc begins a document, with its id as metadata."),
    ),
    Kind(
        "vertical",
        mark("vertical files (VERT)"),
        mark("document"),
        annotated.read_vertical,
        (".vert", ".vrt"),
        begins=annotated.begins_as_vertical,
        about=mark("The first column as running text; doc or text begins a document, with its attributes as metadata."),
    ),
    Kind(
        "eml",
        mark("e-mail messages (EML)"),
        mark("file"),
        mail.read_message,
        (".eml",),
        begins=mail.begins_as_message,
        is_checked=False,
        about=mark("Subject and text, without attachments; sender, recipient, date and subject are metadata."),
    ),
    Kind(
        "mbox",
        mark("mailboxes (mbox)"),
        mark("message"),
        mail.read_mailbox,
        (".mbox", ".mbx"),
        begins=mail.begins_as_mailbox,
        is_checked=False,
        about=mark("As e-mail messages, of which each is a document."),
    ),
    Kind(
        "warc",
        mark("crawls (WARC, WET, ARC)"),
        mark("page"),
        crawls.read,
        crawls.ENDINGS,
        signature=crawls.is_crawl,
        is_checked=False,
        about=mark("Web pages and plain texts; title, address, date, language and type are metadata."),
    ),
    Kind(
        "wiki",
        mark("dumps of wikis (MediaWiki)"),
        mark("page"),
        wiki_dumps.read,
        (),
        signature=wiki_dumps.is_dump,
        is_checked=False,
        about=mark("Articles without markup, templates and references; title, id, time and language are metadata."),
    ),
    Kind(
        "reddit",
        mark("dumps of Reddit"),
        mark("post"),
        reddit.read,
        (),
        signature=reddit.is_dump,
        is_checked=False,
        about=mark("Text of comments, title and text of submissions; author, date, subreddit and id are metadata."),
    ),
    Kind(
        "jsonl",
        mark("JSON Lines"),
        mark("line"),
        json_lines.read,
        (".jsonl", ".ndjson"),
        begins=json_lines.begins_with_object,
        only_piped=True,
        is_checked=False,
        about=mark("The field with the text; all other fields are metadata."),
    ),
    Kind(
        "json",
        mark("JSON"),
        mark("object"),
        json_files.read,
        (".json",),
        begins=json_files.begins_with_array,
        only_piped=True,
        is_checked=False,
        about=mark("As JSON Lines, of an array of objects; any other JSON is read as plain text."),
    ),
    Kind(
        "csv",
        mark("tables (CSV, TSV)"),
        mark("row"),
        tables.read,
        tables.ENDINGS,
        begins=tables.begins_as_table,
        only_piped=True,
        about=mark("The column with the text; all other columns are metadata."),
    ),
    Kind(
        "spreadsheet",
        mark("spreadsheets (XLSX, XLS, ODS)"),
        mark("row"),
        spreadsheets.read,
        spreadsheets.ENDINGS,
        signature=spreadsheets.is_spreadsheet,
        is_checked=False,
        about=mark("Each sheet as a table: the column with the text; all other columns are metadata."),
        extra="documents",
        modules=("python_calamine",),
    ),
    Kind(
        "parquet",
        mark("Parquet files"),
        mark("row"),
        parquet.read,
        (".parquet",),
        signature=parquet.is_parquet,
        is_checked=False,
        about=mark("The column with the text; all other columns are metadata."),
        extra="arrow",
        modules=("pyarrow",),
    ),
    Kind(
        "arrow",
        mark("Arrow files (also Feather)"),
        mark("row"),
        arrow_files.read_arrow,
        arrow_files.ARROW_ENDINGS,
        signature=arrow_files.is_arrow,
        is_checked=False,
        about=mark("As Parquet; also streams, such as the files that the package datasets keeps."),
        extra="arrow",
        modules=("pyarrow",),
    ),
    Kind(
        "orc",
        mark("ORC files"),
        mark("row"),
        arrow_files.read_orc,
        arrow_files.ORC_ENDINGS,
        signature=arrow_files.is_orc,
        is_checked=False,
        about=mark("As Parquet."),
        extra="arrow",
        modules=("pyarrow",),
    ),
    Kind(
        "avro",
        mark("Avro files"),
        mark("row"),
        avro.read,
        avro.ENDINGS,
        signature=avro.is_avro,
        is_checked=False,
        about=mark("As Parquet."),
        extra="documents",
        modules=("fastavro",),
    ),
    Kind(
        "ids",
        mark("token ids (NumPy, BIN)"),
        mark("document"),
        token_ids.read,
        token_ids.ENDINGS,
        signature=token_ids.holds_ids,
        is_checked=False,
        about=mark(
            "Arrays of NumPy, and the files of nanoGPT and Megatron, as tokens of the tokenizer that made them."
        ),
    ),
    # Last: the documents of many programs are ZIP archives, too.
    Kind(
        "archive",
        mark("archives (ZIP, TAR)"),
        mark("document"),
        _read_archive,
        (".zip", ".tar", ".tgz", ".tbz2", ".txz"),
        signature=is_archive,
        is_checked=False,
        about=mark("The files in it, each as its kind, also of an archive in it; TAR also compressed."),
        opens=entries_of,
    ),
    Kind(
        "7z",
        mark("7z archives"),
        mark("document"),
        _read_archive,
        (".7z",),
        signature=seven_zip.is_seven_zip,
        is_checked=False,
        about=mark("As ZIP."),
        extra="documents",
        modules=("py7zr",),
        opens=seven_zip.entries_of,
    ),
)


def kinds_of_records() -> tuple[Kind, ...]:
    """The kinds whose files have records."""
    return tuple(kind for kind in KINDS if kind.has_records)


def kinds_of_texts() -> tuple[Kind, ...]:
    """The kinds whose files have texts."""
    return tuple(kind for kind in KINDS if not kind.has_records)


def endings(kinds: Iterable[Kind]) -> tuple[str, ...]:
    """The endings of the names of files of some kinds."""
    return tuple(ending for kind in kinds for ending in kind.endings)


def patterns(kinds: Iterable[Kind]) -> str:
    """The names of files of some kinds, as filters of file dialogs list them."""
    return " ".join(f"*{ending}" for ending in endings(kinds))


def file_filter() -> str:
    """The filters of a file dialog: all files, since source code has any ending, and each kind."""
    # Some kinds are recognized only by their content: an empty filter would show no file.
    named = (f"{tr(kind.label)} ({patterns([kind])})" for kind in KINDS if kind.endings)
    return ";;".join([tr("All files (*)"), *named])


def labels() -> str:
    """What is read, as a list within a sentence."""
    return ", ".join(tr(kind.label) for kind in KINDS)


def kind_named(name: str) -> Kind:
    """The kind of a name; raises KeyError if there is none."""
    return {kind.name: kind for kind in KINDS}[name]


def kind_of(head: bytes, name: str, piped: bool = False) -> Kind:
    """Recognize the kind of a file: by its content, then by its name, then by how its text begins.

    head: Its first bytes, about 8,000, without packing.
    name: Its name without the endings of packing, in lower case.
    piped: Whether it came through a pipe, so that its name shows nothing.
    Returns: The kind; plain text for what is not recognized.
    Raises `NotTextError` for a format that is known and not read, and for anything else but text.
    """
    signed = signed_kind(head, name)
    if signed is not None:
        return signed
    foreign = foreign_kind(head, name)
    if foreign is not None:
        raise NotTextError(FOREIGN if foreign.has_text else BINARY, foreign.sentence)
    named = next((kind for kind in KINDS if kind.signature is None and name.endswith(kind.endings)), None)
    if named is not None or "." in name.rpartition("/")[2]:
        return named or PLAIN
    beginning = head.decode(wide_encoding(head) or UTF8, "replace").removeprefix("\ufeff")
    able = (kind for kind in KINDS if kind.begins is not None and (piped or not kind.only_piped))
    return next((kind for kind in able if kind.begins is not None and kind.begins(beginning)), PLAIN)


def kind_by_name(name: str) -> Kind | None:
    """The kind that a name without the endings of packing, in lower case, indicates; None for other names."""
    return next((kind for kind in KINDS if name.endswith(kind.endings)), None)


def signed_kind(head: bytes, name: str) -> Kind | None:
    """The kind that has a signature of its own and is recognized by it; None for texts and what is not read."""
    return next((kind for kind in KINDS if kind.signature is not None and kind.signature(head, name)), None)


def archive_kind(head: bytes, name: str) -> Kind | None:
    """The kind of an archive, by its signature; None for any other file."""
    found = signed_kind(head, name)
    return found if found is not None and found.opens is not None else None


def checked_kind(head: bytes, name: str, encoding: str, piped: bool = False) -> Kind:
    """As `kind_of`; also raises NotTextError for a file of a kind of texts that does not begin as text."""
    kind = kind_of(head, name, piped)
    if kind.is_checked:
        check_head(head, encoding, declared_set(head, name))
    return kind
