"""Writes the crawls of tests/data/crawls.

python tests/support/make_crawls.py     needs warcio, which writes one of them, and brotli
"""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import zstandard

FOLDER = Path(__file__).resolve().parents[1] / "data" / "crawls"
MOMENT = "2024-03-01T12:00:00Z"
PAGE = (
    "<!DOCTYPE html><html lang=en><head><title>Mice</title><style>p {color: red}</style></head>"
    "<body><nav><a href=/>Home</a></nav><h1>Of mice</h1><p>A mouse <b>ran</b> up the clock.</p></body></html>"
)
RUSSIAN = "<html><head><meta charset=koi8-r></head><body><p>Мышь и кот.</p></body></html>"


def record(kind: str, address: str, body: bytes, **fields: str) -> bytes:
    """A record of WARC; `content_type="text/plain"` and so on are its fields."""
    lines = [f"WARC-Type: {kind}", f"WARC-Date: {MOMENT}", "WARC-Record-ID: <urn:uuid:0>"]
    lines += [f"WARC-Target-URI: {address}"] if address else []
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    head = "\r\n".join(["WARC/1.0", *lines, f"Content-Length: {len(body)}", "", ""])
    return head.encode() + body + b"\r\n\r\n"


def answer(body: bytes, content_type: str = "text/html", status: str = "200 OK", **fields: str) -> bytes:
    """An answer of HTTP."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}"] if content_type else [f"HTTP/1.1 {status}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def response(address: str, body: bytes) -> bytes:
    """A record with an answer of HTTP."""
    return record("response", address, body, Content_Type="application/http; msgtype=response")


def chunked(body: bytes, size: int = 7) -> bytes:
    """A body in chunks."""
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x;name=value\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def pages() -> list[bytes]:
    """Pages in several encodings, and what is no page."""
    site = "http://example.org"
    return [
        record("warcinfo", "", b"software: by hand\r\n", Content_Type="application/warc-fields"),
        record("request", f"{site}/", b"GET / HTTP/1.1\r\n\r\n", Content_Type="application/http; msgtype=request"),
        response(f"{site}/", answer(PAGE.encode(), "text/html; charset=utf-8", Content_Language="en")),
        response(f"{site}/latin", answer("<p>Das Mäuschen</p>".encode("latin-1"), "text/html; charset=ISO-8859-1")),
        response(f"{site}/ru", answer(RUSSIAN.encode("koi8-r"))),
        response(
            f"{site}/packed",
            answer(
                chunked(gzip.compress(b"<p>packed and in chunks</p>", mtime=0)),
                Transfer_Encoding="chunked",
                Content_Encoding="gzip",
            ),
        ),
        response(f"{site}/a.png", answer(b"\x89PNG\r\n\x1a\n", "image/png")),
        response(f"{site}/gone", answer(b"<p>Not found</p>", status="404 Not Found")),
        record("revisit", f"{site}/", b"", Content_Type="application/http; msgtype=response"),
        response(f"{site}/a.txt", answer(b"plain\r\ntext\r\n", "text/plain")),
    ]


def resources() -> list[bytes]:
    """Content without an answer of HTTP, and an answer in brotli."""
    import brotli

    return [
        record("resource", "file:///a.html", b"<html><p>A resource</p></html>", Content_Type="text/html"),
        record("resource", "file:///b", b"<!DOCTYPE html><p>of no type</p>"),
        record("metadata", "file:///a.html", b"via: x\r\n", Content_Type="application/warc-fields"),
        response("http://example.org/br", answer(brotli.compress(b"<p>in brotli</p>"), Content_Encoding="br")),
    ]


def extracted() -> list[bytes]:
    """WET, as Common Crawl publishes it."""
    return [
        record("warcinfo", "", b"Software-Info: by hand\r\n", Content_Type="application/warc-fields"),
        *(
            record(
                "conversion",
                f"http://example.org/{number}",
                text.encode(),
                WARC_Identified_Content_Language=language,
                Content_Type="text/plain",
            )
            for number, (language, text) in enumerate([("eng", "Of mice\nand men\n"), ("deu", "Von Mäusen\n")])
        ),
    ]


def old() -> bytes:
    """ARC, the format before WARC."""
    version = b"1 0 Maker\nURL IP-address Archive-date Content-type Archive-length\n\n"
    body = answer(b"<h1>Old</h1><p>page</p>")
    plain = answer(b"old text", "text/plain")
    return (
        b"filedesc://old.arc 0.0.0.0 19970101000000 text/plain %d\n" % len(version)
        + version
        + b"\nhttp://example.org/ 192.0.2.1 19970203040506 text/html %d\n" % len(body)
        + body
        + b"\nhttp://example.org/a.txt 192.0.2.1 19970203040507 text/plain %d\n" % len(plain)
        + plain
        + b"\n"
    )


def by_warcio() -> bytes:
    """A page that another program writes, as records of gzip."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    made = io.BytesIO()
    writer = WARCWriter(made, gzip=True)
    header = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
    writer.write_record(
        writer.create_warc_record(
            "http://example.org/warcio",
            "response",
            payload=io.BytesIO("<p>Größe</p>".encode()),
            http_headers=header,
            warc_headers_dict={"WARC-Date": MOMENT},
        )
    )
    return made.getvalue()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    gzipped = {"pages.warc.gz": pages(), "texts.wet.gz": extracted()}
    for name, records in gzipped.items():
        (FOLDER / name).write_bytes(b"".join(gzip.compress(each, mtime=0) for each in records))
    packer = zstandard.ZstdCompressor()
    (FOLDER / "resources.warc.zst").write_bytes(b"".join(map(packer.compress, resources())))
    (FOLDER / "old.arc").write_bytes(old())
    (FOLDER / "warcio.warc.gz").write_bytes(by_warcio())


if __name__ == "__main__":
    main()
