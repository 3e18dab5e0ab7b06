"""The files in archives: what the libraries that made them put in, and what is wrong with hostile ones."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.files import archives
from explorer.core.files.archives import entries_of, is_archive
from explorer.core.files.streams import BrokenStreamError

FILES = {"1916/june.txt": b"the cat sat\n" * 20, "1916/july.txt": b"", "a b/\xe9t\xe9.txt": "été".encode()}
PACKINGS = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}


def zipped(files, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(files, format=tarfile.PAX_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=format) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def with_member(info, data=b""):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def listed(data, name="a"):
    """Name, content or problem of each entry."""
    entries = entries_of(io.BufferedReader(io.BytesIO(data)), name)
    return [(each.name, each.problem or io.BufferedReader(each.open()).read()) for each in entries]


@pytest.mark.parametrize("method", archives._METHODS)
def test_a_zip_archive_gives_what_was_put_in(method):
    assert listed(zipped(FILES, method)) == list(FILES.items())


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("format", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_a_tar_archive_gives_what_was_put_in(packing, format):
    data = PACKINGS[packing](tarred(FILES, format))
    assert listed(data, "a.tar" + packing) == list(FILES.items())


@given(
    st.dictionaries(
        st.text(st.sampled_from("ab é日.-_"), min_size=1, max_size=90).filter(lambda name: name.strip(".") == name),
        st.binary(max_size=2_000),
        max_size=6,
    ),
    st.sampled_from([zipped, tarred]),
)
def test_any_files_come_back(files, pack):
    assert listed(pack(files)) == list(files.items())


def test_archives_are_recognized_by_their_content():
    packed = tarred(FILES)
    assert is_archive(packed[:8_000], "letters") and is_archive(zipped(FILES)[:8_000], "letters")
    # Old archives have no sign: the sum of the header shows them.
    old = bytearray(packed)
    old[257:265] = bytes(8)
    old[148:156] = b"%06o\0 " % (sum(old[:512]) - sum(old[148:156]) + 8 * 32)
    assert is_archive(bytes(old[:8_000]), "letters")
    assert not is_archive(b"the cat sat " * 90, "cat.tar") and not is_archive(bytes(8_000), "cat.tar")
    # A Word document is a ZIP archive, too.
    assert not is_archive(zipped({"[Content_Types].xml": b"", "word/document.xml": b""}), "letter.docx")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("./a/./b.txt", "a/b.txt"),
        ("a\\b.txt", "a/b.txt"),
        ("../a.txt", None),
        ("a/../../b.txt", None),
        ("..\\a.txt", None),
        ("/etc/passwd", None),
        ("C:\\a.txt", None),
    ],
)
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_paths_stay_in_the_archive(name, kept, pack):
    ((found, content),) = listed(pack({name: b"text"}))
    assert (found, content) == (kept, b"text") if kept else content == "its path leads out of the archive"


def test_links_devices_and_folders_are_not_files():
    kinds = {"link": tarfile.SYMTYPE, "hard": tarfile.LNKTYPE, "pipe": tarfile.FIFOTYPE, "disk": tarfile.BLKTYPE}
    found = {}
    for name, kind in kinds.items():
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, "/etc/passwd"
        found |= dict(listed(with_member(info)))
    assert found == {
        "link": "a link to another file",
        "hard": "a link to another file",
        "pipe": "not a regular file",
        "disk": "not a regular file",
    }
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    assert listed(zipped({link: b"/etc/passwd"})) == [("link", "a link to another file")]
    assert listed(zipped({"folder/": b""})) == []


def test_an_encrypted_file_is_one():
    data = bytearray(zipped({"a.txt": b"text"}))
    for sign, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        data[data.index(sign) + at] |= 1
    ((_, problem),) = listed(bytes(data))
    assert problem.startswith("encrypted: ")


def test_a_method_that_is_not_read_is_named():
    data = bytearray(zipped({"a.txt": b"text"}))
    for sign, at in ((b"PK\x01\x02", 10), (b"PK\x03\x04", 8)):
        struct.pack_into("<H", data, data.index(sign) + at, 9)
    assert listed(bytes(data)) == [("a.txt", "packed by a method that is not read (9): unpack the archive")]


def test_a_file_that_expands_too_far_is_not_read():
    ((_, problem),) = listed(zipped({"zeros.txt": bytes(20 << 20)}))
    assert "expands to more than 200 times" in problem
    packed = bz2.compress(tarred({"zeros.txt": bytes(20 << 20)}))
    with pytest.raises(BrokenStreamError, match="expands to more than 200 times"):
        listed(packed)


def test_files_that_overlap_are_refused():
    data = bytearray(zipped({"a.txt": b"text" * 90}, zipfile.ZIP_STORED))
    at = data.index(b"PK\x01\x02")
    entry = data[at : data.index(b"PK\x05\x06")]
    end = bytearray(data[data.index(b"PK\x05\x06") :])
    # A thousand entries with one content.
    struct.pack_into("<HHI", end, 8, 1_000, 1_000, 1_000 * len(entry))
    with pytest.raises(BrokenStreamError, match="overlap"):
        listed(bytes(data[:at] + entry * 1_000 + end))


def test_there_is_a_limit_of_files(monkeypatch):
    monkeypatch.setattr(archives, "MOST_ENTRIES", 2)
    for pack in (zipped, tarred):
        with pytest.raises(BrokenStreamError, match="more than 2 files"):
            listed(pack(FILES))


def test_a_directory_or_a_header_that_fills_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr(archives, "_MOST_DIRECTORY", 100)
    with pytest.raises(BrokenStreamError, match="its directory has"):
        listed(zipped(FILES))
    long = tarfile.TarInfo("long")
    long.type, long.size = tarfile.XHDTYPE, 2 << 20
    with pytest.raises(BrokenStreamError, match="one of its headers has 2,097,152 bytes"):
        listed(with_member(long, b"0" * (2 << 20)))


@pytest.mark.parametrize("part", [0.05, 0.2, 0.9])
@pytest.mark.parametrize("packing", PACKINGS)
def test_an_archive_that_is_cut_is_never_a_whole_one(part, packing):
    # Without the zeros with which TAR archives are filled up.
    whole = tarred(FILES).rstrip(b"\0") if not packing else PACKINGS[packing](tarred(FILES))
    for data in (zipped(FILES), whole):
        with pytest.raises(BrokenStreamError):
            listed(data[: round(len(data) * part)], "a.tar" + packing)


def test_a_tar_archive_with_a_damaged_header_does_not_end_there():
    data = bytearray(tarred({"a.txt": b"a", "b.txt": b"b"}))
    data[1024 + 5] ^= 1
    entries = entries_of(io.BufferedReader(io.BytesIO(bytes(data))), "a.tar")
    assert next(entries).name == "a.txt"
    with pytest.raises(BrokenStreamError, match="no valid header at byte 1,024"):
        next(entries)


def test_archives_that_were_joined_are_not_read_in_part():
    with pytest.raises(BrokenStreamError, match="data after its end"):
        listed(tarred({"a.txt": b"a"}) + tarred({"b.txt": b"b"}))


def test_names_in_utf_8_that_are_not_declared_are_read():
    data = zipped({"xxxx.txt": b""}).replace(b"xxxx", "é日"[:1].encode() * 2)
    assert listed(data) == [("éé.txt", b"")]
