"""The words after a context, against a twin that reads the texts themselves."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st
from list_backend import Contents, ListBackend
from opened_with import open_shards
from vocabularies import byte_level

from explorer.analyses.next_tokens.next_words import NextWords, WordKind, next_words, words_after
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled
from explorer.text.segments import JOINER, MARK, class_of, spans
from explorer.text.tokens.tokenizer import TextTokenizer
from explorer.words.rule import WordRule

IN_WORDS = (WordKind.WORD, WordKind.REST)
BYTES = TextTokenizer.raw_bytes()


def written(tokenizer: TextTokenizer, ids: list[int]) -> str:
    return b"".join(tokenizer.token_bytes(token) for token in ids).decode("utf-8", "surrogateescape")


def shown(char: str) -> str:
    return char.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def half(text: str) -> str:
    """The bytes at the end that could be the beginning of a character, as surrogates."""
    for size in (3, 2, 1):
        tail = text[-size:].encode("utf-8", "surrogateescape")
        if len(text) >= size and len(tail) == size and tail[0] > 127:
            for more in (b"\x80", b"\x80\x80", b"\xbf", b"\xbf\xbf", b"\xbf\xbf\xbf", b"\x80\x80\x80"):
                try:
                    (tail + more).decode()
                except UnicodeDecodeError:
                    continue
                return text[-size:]
    return ""


def item_after(tokenizer: TextTokenizer, document: list[int], begin: int, end: int) -> tuple[str, str]:
    """What follows a context in a document, by the words of the text from the context on: what it is, and its form."""
    before, rest = written(tokenizer, document[begin:end]), ""
    pending = half(before)
    rest = (pending + written(tokenizer, document[end:])).encode("utf-8", "surrogateescape")
    text = rest.decode("utf-8", "surrogateescape")
    head = "" if pending else before
    for start, stop in spans(head + text):
        if start < len(head) < stop:
            return "rest", WordRule().form(shown(head[len(head) :] + text[: stop - len(head)])) or ""
    stripped = text.lstrip()
    if not stripped:
        return "end", ""
    found = spans(stripped)
    if found and not found[0][0]:
        return "word", WordRule().form(shown(stripped[: found[0][1]])) or ""
    last = 1
    while last < len(stripped) and class_of(stripped[last]) in (MARK, JOINER):
        last += 1
    return "other", shown(stripped[:last])


def twins(tokenizer: TextTokenizer, documents: list[list[int]], context: list[int], version: int) -> Counter:
    found: Counter[tuple[str, str]] = Counter()
    for number, document in enumerate(documents):
        for end in range(len(context), len(document) + 1):
            # Nothing follows the last document, except in version 5, where a separator does.
            last = number == len(documents) - 1 and end == len(document) and version == 4
            if document[end - len(context) : end] == context and not last:
                found[item_after(tokenizer, document, end - len(context), end)] += 1
    return found


def counted(found: NextWords) -> Counter[tuple[str, str]]:
    assert found.exact and len({(word.kind, word.text) for word in found.words}) == len(found.words)
    assert found.words == tuple(sorted(found.words, key=lambda word: (-word.count, word.text, word.kind.value)))
    assert sum(word.count for word in found.words) == found.total
    named = [(word, WordRule().form(word.text) if word.kind in IN_WORDS else word.text) for word in found.words]
    return Counter({(word.kind.value, form): word.count for word, form in named})


def listed(tokenizer: TextTokenizer, documents: list[list[int]]) -> ListBackend:
    return ListBackend(Contents([documents], [{} for _ in documents], 65_535, tokenizer))


# Characters of one, two and three bytes; a letter that needs no spaces around it; white space; a connector.
TEXTS = st.lists(st.text("abAé€ .\n語_'’1\u0301\u00ad", max_size=16), min_size=1, max_size=5)


@given(TEXTS, st.text("abé .'1\u0301", min_size=1, max_size=3), st.sampled_from([4, 5]))
@pytest.mark.local("writes its own index")
def test_words_are_those_of_the_texts(texts, context, version):
    documents = [list(text.encode()) for text in texts]
    with tempfile.TemporaryDirectory() as folder:
        path = twin.write_index(Path(folder) / "index", [documents], 1, version)
        index = open_shards(path, tokenizer="bytes", reversed_text=version == 5, check_fit=False)
        found = next_words(index, list(context.encode()))
        # Nothing follows the last document of version 4: then one place less, which several occurrences may lead to.
        for word in (word for word in found.words if word.kind is not WordKind.END):
            assert word.count - len(word.starts) <= words_after(index, word.starts).total <= word.count
    assert counted(found) == twins(BYTES, documents, list(context.encode()), version)


@given(st.data())
def test_words_may_be_cut_in_any_way(data):
    """Tokens hold parts of characters, or the end of one word and the beginning of the next."""
    tokenizer = TextTokenizer.from_backend(byte_level(), "byte level")
    every = np.arange(tokenizer.vocabulary_size)
    usual = [int(token) for token in every[~tokenizer.is_special(every)]]
    ids = data.draw(st.lists(st.sampled_from(usual), min_size=3, max_size=12, unique=True))
    document = st.lists(st.sampled_from(ids), max_size=12)
    documents = data.draw(st.lists(document, min_size=1, max_size=4))
    context = data.draw(st.lists(st.sampled_from(ids), min_size=1, max_size=2))
    index = listed(tokenizer, documents)
    found = next_words(index, context)
    assert counted(found) == twins(tokenizer, documents, context, 4)
    for word in found.words:
        # No place after the word is counted twice, whatever forms the word has.
        after = words_after(index, word.starts)
        assert after.exact and after.total <= word.count


def test_second_words():
    documents = [list(text.encode()) for text in ("a cat sat", "a cat, too", "a cats", "a cat sat")]
    index = listed(BYTES, documents)
    first = next_words(index, list(b"a"))
    assert [(word.text, word.count) for word in first.words if word.kind is WordKind.WORD] == [("cat", 3), ("cats", 1)]
    cat = next(word for word in first.words if word.text == "cat")
    after = words_after(index, cat.starts)
    assert [(word.text, word.insert, word.count) for word in after.words] == [("sat", " sat", 2), (",", ",", 1)]
    comma = after.words[1]
    assert [word.text for word in words_after(index, comma.starts).words] == ["too"]


def test_what_is_left_out_is_said():
    documents = [list(text.encode()) for text in ("x one", "x one", "x two", "x three")]
    found = next_words(listed(BYTES, documents), list(b"x"), most_steps=6)
    assert not found.exact and found.total == 4 and found.counted == sum(word.count for word in found.words) < 4
    assert [(word.text, word.count) for word in found.words] == [("one", 2)]


def test_special_tokens_are_named():
    backend = byte_level()
    backend.add_special_tokens(["<s>"])
    tokenizer = TextTokenizer.from_backend(backend, "with a special token")
    a, special = backend.encode("a").ids[0], backend.token_to_id("<s>")
    found = next_words(listed(tokenizer, [[a, special, a], [a]]), [a])
    assert [(word.kind, word.text) for word in found.words] == [(WordKind.END, ""), (WordKind.TOKEN, "<s>")]


def test_it_can_be_stopped():
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        next_words(listed(BYTES, [list(b"a b")]), list(b"a"), cancel=token)
