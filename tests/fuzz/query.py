"""Coverage-guided fuzzing of the query language: any text is parsed, or refused at a place within it.

usage: python tests/fuzz/query.py tests/fuzz/corpus/query -max_total_time=60
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["explorer.analyses.search.language"]):
    from explorer.analyses.search.language import QuerySyntaxError, parse
    from explorer.errors import QueryError


def one(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    try:
        parsed = parse(text)
    except QuerySyntaxError as error:
        assert 0 <= error.start <= error.end <= len(text), (text, error)
        assert str(error)
        return
    except QueryError:
        return
    # Written out, it is read as the same again.
    assert parse(str(parsed)) == parsed, (text, parsed)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
