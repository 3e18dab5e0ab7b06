"""7z archives: what py7zr put in comes out, one file after the other, and hostile ones end with an error."""

from __future__ import annotations

import io
import threading

import py7zr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.files.archives import LockedError
from explorer.core.files.seven_zip import entries_of, is_seven_zip
from explorer.core.files.streams import BrokenStreamError

FILES = {"1916/june.txt": b"the cat sat\n" * 90_000, "1916/july.txt": b"", "a b/\xe9t\xe9.txt": "été".encode()}


def packed(files, **options):
    out = io.BytesIO()
    with py7zr.SevenZipFile(out, "w", **options) as archive:
        for name, data in files.items():
            archive.writef(io.BytesIO(data), name)
    return out.getvalue()


def entries(data):
    return entries_of(io.BufferedReader(io.BytesIO(data)), "a.7z")


def listed(data):
    """Name, content or problem of each entry."""
    return [(each.name, each.problem or io.BufferedReader(each.open()).read()) for each in entries(data)]


@pytest.mark.parametrize("method", ["LZMA2", "LZMA", "DEFLATE", "BZIP2", "ZSTD", "COPY"])
def test_an_archive_gives_what_was_put_in(method):
    filters = [{"id": getattr(py7zr, f"FILTER_{method}")}]
    data = packed(FILES, filters=filters)
    assert is_seven_zip(data, "a") and dict(listed(data)) == FILES


@given(
    st.dictionaries(st.from_regex(r"[a-zé]{1,9}(/[a-z]{1,9})?", fullmatch=True), st.binary(max_size=900), max_size=5)
)
@settings(max_examples=20, deadline=None)
def test_any_files_come_back(files):
    assert dict(listed(packed(files))) == files


def test_files_may_be_passed_over_and_the_thread_ends():
    before = threading.active_count()
    found = entries(packed(FILES))
    assert next(found).name == "1916/june.txt" and next(found).name
    found.close()
    assert threading.active_count() == before
    assert [each.name for each in entries(packed(FILES))] == list(FILES)


def test_an_encrypted_archive_is_one():
    ((name, problem),) = listed(packed({"a.txt": b"text"}, password="secret"))
    assert name == "a.txt" and problem.startswith("encrypted: ")
    with pytest.raises(LockedError):
        listed(packed({"a.txt": b"text"}, password="secret", header_encryption=True))


def test_an_archive_that_expands_too_far_is_not_read():
    with pytest.raises(BrokenStreamError, match="expands to more than 200 times"):
        listed(packed({"zeros.txt": bytes(20 << 20)}))


@pytest.mark.parametrize("part", [0.01, 0.2, 0.6, 0.95])
def test_an_archive_that_is_cut_is_never_a_whole_one(part):
    data = packed(FILES)
    with pytest.raises(BrokenStreamError):
        listed(data[: round(len(data) * part)])
