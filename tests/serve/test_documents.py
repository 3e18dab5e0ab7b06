"""Documents as infinigram-api gives them, the description of all routes, and addresses that are not served."""

from __future__ import annotations

import threading
from urllib.parse import urlencode

import pytest
from served import running
from starlette.routing import Route

from explorer import build_index, open_index
from explorer.errors import Cancelled
from explorer.serve.app import PARTS
from explorer.serve.completions.language_models import LanguageModels
from explorer.serve.completions.routes import SERVED

FIELDS = {
    "documentIndex", "documentLength", "displayLength", "needleOffset", "metadata", "tokenIds", "text", "blocked",
}  # fmt: skip
ROWS = [{"text": f"the cat sat on the mat {n}", "year": 1990 if n < 3 else 2020} for n in range(5)]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("documents")
    build_index(ROWS, folder / "index", tokenizer="bytes")
    with open_index(folder / "index") as found:
        yield found


@pytest.fixture(scope="module")
def asker(corpus):
    with running([("cats", corpus), ("my/new", corpus.subset("year>=2000"))]) as served:
        yield served


def test_a_search_gives_pages_of_hits(asker, corpus):
    asked = {"search": "the", "page_size": 4, "maximum_document_display_length": 3}
    seen = []
    for page in range(4):
        status, found = asker.get(f"/cats/documents/?{urlencode({**asked, 'page': page})}")
        assert status == 200
        assert (found["index"], found["page"], found["pageSize"]) == ("cats", page, 4)
        assert (found["totalDocuments"], found["pageCount"]) == (10, 3)
        for document in found["documents"]:
            assert document.keys() == FIELDS
            at = document["needleOffset"]
            assert bytes(document["tokenIds"][at : at + 3]) == b"the" and at <= 3
            assert len(document["tokenIds"]) == document["displayLength"] <= 9
            assert document["text"] in corpus.document(document["documentIndex"]).text
            assert document["documentLength"] == len(ROWS[document["documentIndex"]]["text"])
        seen += [(each["documentIndex"], each["text"]) for each in found["documents"]]
    assert len(seen) == 10 and sorted({number for number, _ in seen}) == [0, 1, 2, 3, 4]


def test_documents_that_do_not_count_are_never_given(asker):
    status, found = asker.get("/my/new/documents/?search=cat&page_size=100")
    assert status == 200 and found["totalDocuments"] == 2
    assert sorted(each["documentIndex"] for each in found["documents"]) == [3, 4]
    assert asker.get("/my/new/documents/0")[0] == 404
    assert asker.get("/my/new/documents/3")[1]["documentIndex"] == 3


def test_documents_by_number(asker):
    status, found = asker.get("/cats/documents/1?maximum_document_display_length=7")
    assert status == 200 and found.keys() == FIELDS | {"index"}
    assert (found["text"], found["needleOffset"], found["documentIndex"]) == ("the cat", 0, 1)
    assert found["metadata"] == {"year": 1990} or found["metadata"]["metadata"]["year"] == 1990
    status, found = asker.get("/cats/documents?document_indexes=4&document_indexes=0")
    assert status == 200 and [each["documentIndex"] for each in found["documents"]] == [4, 0]
    assert [each["text"] for each in found["documents"]] == ["the cat sa"] * 2


@pytest.mark.parametrize(
    ("path", "status", "part"),
    [
        ("/cats/documents/", 422, "search"),
        ("/cats/documents/?search=a&page=-1", 422, "page"),
        ("/cats/documents/?search=a&page=9223372036854775808", 422, "page"),
        ("/cats/documents/?search=a&page_size=0", 422, "page_size"),
        ("/cats/documents/?search=a&page_size=101", 422, "page_size"),
        ("/cats/documents/?search=a&maximum_document_display_length=2001", 422, "display_length"),
        (f"/cats/documents/?search={'a' * 1001}", 422, "1000"),
        ("/cats/documents", 422, "document_indexes"),
        ("/cats/documents?document_indexes=x", 422, "document_indexes"),
        ("/cats/documents?" + "&".join(["document_indexes=1"] * 101), 422, "100"),
        ("/cats/documents?document_indexes=99", 404, "99"),
        ("/cats/documents/99", 404, "99"),
        ("/cats/documents/x", 422, "document_index"),
        ("/none/documents/0", 400, "none"),
    ],
)
def test_wrong_requests_are_problems_with_a_sentence(asker, path, status, part):
    code, found = asker.get(path)
    assert (code, found["status"]) == (status, status) and part in found["detail"]
    assert not asker.complaints


def test_an_empty_search_and_a_page_after_the_last(asker, corpus):
    found = asker.get("/cats/documents/?search=&page_size=2")[1]
    assert found["totalDocuments"] == corpus.index.hits.find(()).count and len(found["documents"]) == 2
    far = asker.get("/cats/documents/?search=cat&page=9223372036854775807&page_size=100")[1]
    assert far["documents"] == [] and far["totalDocuments"] == 5


def test_the_server_describes_each_of_its_routes(asker):
    assert asker.get("/health") == asker.get("/health/") == (204, None)
    status, found = asker.get("/openapi.json")
    assert status == 200 and found["openapi"].startswith("3.")
    routes = [route for make in PARTS for route in make(asker.server.host).routes if isinstance(route, Route)]
    described = {(path, method) for path, operations in found["paths"].items() for method in operations}
    expected = {(route.path_format, m.lower()) for route in routes for m in (route.methods or ()) if m != "HEAD"}
    assert described == expected | {("/openapi.json", "get"), ("/docs", "get")}
    assert all(each["summary"] for operations in found["paths"].values() for each in operations.values())
    search = found["paths"]["/{index}/documents/"]["get"]["parameters"]
    assert [each["name"] for each in search if each["required"]] == ["index", "search"]
    page = asker.http.request("GET", asker.address + "/docs")
    assert page.status == 200 and page.headers["Content-Type"].startswith("text/html")
    assert b"/{index}/documents/" in page.data and b"http" not in page.data.replace(b"https://", b"")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/v1/chat/completions", 404),
        ("POST", "/v1/embeddings", 404),
        ("POST", "/v1/responses", 404),
        ("POST", "/chat/completions", 404),
        ("POST", "/completions", 404),
        ("GET", "/v1", 404),
        ("GET", "/v1/completions", 405),
        ("DELETE", "/v1/models/cats", 405),
    ],
)
def test_addresses_that_clients_try_are_answered_with_what_is_served(asker, method, path, status):
    code, found = asker.request(method, path, b"{}")
    assert code == status and found["error"].keys() == {"message", "type", "param", "code"}
    assert SERVED in found["error"]["message"] and path in found["error"]["message"]


def test_a_model_that_does_not_exist_names_those_that_do(asker):
    code, found = asker.get("/v1/models/gpt-4")
    assert code == 404 and found["error"]["code"] == "model_not_found"
    assert "cats, my/new" in found["error"]["message"] and "GET /v1/models" in found["error"]["message"]


def test_models_that_learn_are_made_when_the_server_starts(corpus, monkeypatch):
    begun, made = threading.Event(), []
    own = type(corpus).model

    def model(self, name="learned", **settings):
        begun.set()
        made.append(name)
        return own(self, name, **settings)

    monkeypatch.setattr(type(corpus), "model", model)
    with running([("cats", corpus)]) as served:
        # Nobody has asked anything.
        assert begun.wait(20)
        status, _ = served.post({"model": "cats", "prompt": "the cat", "max_tokens": 1}, "/v1/completions")
        assert status == 200 and made == ["learned"]


def test_a_server_that_ends_does_not_wait_for_what_is_learned(corpus, monkeypatch):
    begun, ended = threading.Event(), threading.Event()

    def model(self, name="learned", *, cancel, **settings):
        begun.set()
        try:
            while True:
                cancel.check()
                threading.Event().wait(0.01)
        except Cancelled:
            ended.set()
            raise

    monkeypatch.setattr(type(corpus), "model", model)
    with running([("cats", corpus)]):
        assert begun.wait(20)
    assert ended.is_set()


def test_a_model_that_cannot_be_prepared_is_made_at_its_first_use(corpus):
    models = LanguageModels({"cats": corpus}, 0)
    from explorer.core.jobs import CancelToken

    stopped = CancelToken()
    stopped.cancel()
    models.prepare(stopped)
    assert models.get("cats").model.name == "learned"
