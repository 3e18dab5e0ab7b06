"""A server answers as the calls of infini-gram do, one request or many at once, and ends cleanly."""

from __future__ import annotations

import pytest
from served import running

from explorer.http.wire.infini_gram import QUERY_TYPES, check_reply


@pytest.fixture(scope="module")
def asker(small_index):
    from explorer import open_index

    with running([("", open_index(small_index)), ("again", open_index(small_index))]) as asker:
        yield asker
        assert asker.complaints == []


def test_names_and_health(asker):
    assert asker.get() == (200, ["Small", "again"])
    status, health = asker.get("/healthz")
    assert status == 200 and health["protocol"] == 1 and "infini-gram" in health["capabilities"]
    assert [index["name"] for index in health["indexes"]] == ["Small", "again"]


@pytest.mark.parametrize("name", QUERY_TYPES)
def test_every_kind_of_question_has_the_fields_of_its_answer(asker, name):
    kind = QUERY_TYPES[name]
    numbers = dict.fromkeys(kind.required, 0)
    query = "the cat AND the mat" if kind.shape == "cnf" else "the cat"
    status, reply = asker.post({"index": "Small", "query_type": name, "query": query, **numbers})
    assert status == 200, reply
    check_reply(kind, reply)


def test_paths_and_methods_that_do_not_exist(asker):
    assert asker.get("/other") == (404, {"error": "Not Found"})
    assert asker.request("DELETE", "/", None) == (405, {"error": "Method Not Allowed"})
