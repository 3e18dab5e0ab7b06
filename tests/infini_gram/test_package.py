"""Every call, asked of the infini-gram package and of us on folders that we made."""

from __future__ import annotations

import random
from functools import partial

import numpy as np
import own_indexes
import pytest
import twin
from package_process import Package

from explorer import build_index
from explorer.infini_gram import Engine

pytest.importorskip("infini_gram", reason="the infini-gram package does not install here")
pytestmark = pytest.mark.local("ranks and shards are looked at")

WIDTHS = {"u8": 1, "u16": 2, "u32": 4}


@pytest.fixture(scope="module", params=["u8", "u16", "u32"])
def both(request, tmp_path_factory):
    """The same folder, opened by us and by the package, and its text to look at: one shard, three, one."""
    folder = tmp_path_factory.mktemp("package")
    if request.param == "u32":
        path, _ = own_indexes.write(folder, "v4_u32_olmo")
    else:
        (folder / "texts").mkdir()
        for number, text in enumerate(own_indexes.texts()):
            (folder / "texts" / f"{number:02}.txt").write_text(text, encoding="utf-8")
        path = folder / "out"
        tokenizer, shards = {"u8": ("bytes", 1), "u16": ("train:400", 3)}[request.param]
        build_index(folder / "texts", path, tokenizer=tokenizer, shards=shards)
    largest = 256 ** WIDTHS[request.param] - 1
    begins = folder / "begins.txt"
    begins.write_text("\n".join(map(str, range(0, min(largest, 600), 3))))
    options = {"eos_token_id": largest - 1, "vocab_size": largest, "token_dtype": request.param}
    options |= {"bow_ids_path": str(begins)}
    with Package(index_dir=str(path), **options) as theirs:
        engine = Engine(str(path), **options)
        yield engine, theirs, twin.Twin.of_index(engine.index)


def text_of(engine, length=300, seed=5):
    """Parts of documents, one after the other."""
    draw = random.Random(seed)
    ids: list[int] = []
    while len(ids) < length:
        tokens = engine.corpus.document(draw.randrange(engine.corpus.document_count)).tokens.tolist()
        start = draw.randrange(len(tokens) + 1)
        ids += tokens[start : start + draw.choice([1, 2, 5, 30])]
    return ids[:length]


def ngrams(engine, number, longest, seed):
    draw, ids = random.Random(seed), text_of(engine, seed=seed)
    for _ in range(number):
        start = draw.randrange(len(ids) - longest)
        yield ids[start : start + draw.randint(1, longest)]


def same(both, name, *arguments, look=None, **named):
    """The answer, which the package gives as well; `look` decides where it contradicts us."""
    engine, theirs, _ = both
    mine = getattr(engine, name)(*arguments, **named)
    ask = partial(getattr(theirs, name), *arguments, **named)
    assert theirs.answer(mine, ask, (lambda: look(mine)) if look else (lambda: None)) == mine
    return mine


def test_counts(both):
    _, _, text = both
    for ids in [[], *ngrams(both[0], 40, 8, seed=1)]:
        count = text.count(ids)
        same(both, "count", ids, look=lambda mine, count=count: {**mine, "count": count})
        same(both, "find", ids, look=lambda mine, count=count: {**mine, "cnt": count})


def test_probabilities(both):
    _, _, text = both

    def looked(mine, context, token):
        before, together = text.count(context), text.count([*context, token])
        ratio = together / before if before else -1.0
        return {**mine, "prompt_cnt": before, "cont_cnt": together, "prob": ratio}

    def backed_off(mine, ids, token):
        length = text.longest_suffix(ids)
        return {**looked(mine, ids[len(ids) - length :], token), "suffix_len": length}

    for ids in ngrams(both[0], 40, 8, seed=2):
        *context, token = ids
        same(both, "prob", context, token, look=lambda mine, c=context, t=token: looked(mine, c, t))
        same(both, "infgram_prob", context, token, look=lambda mine, c=context, t=token: backed_off(mine, c, t))


def test_next_tokens(both):
    """Where an occurrence ends a shard, the package takes the whole range for the end of a document."""
    engine, _, text = both

    def looked(mine, context):
        counts = {**text.next_tokens(context)}
        if ends := counts.pop(engine.token_id_max, 0):
            counts[engine.eos_token_id] = ends
        total = text.count(context)
        by_token = {token: {"cont_cnt": n, "prob": n / total} for token, n in sorted(counts.items())}
        return {**mine, "prompt_cnt": total, "result_by_token_id": by_token}

    asked = 0
    for context in ngrams(engine, 25, 4, seed=3):
        if any(shard.tokens[-len(context) :].tolist() == context for shard in engine.index.shards):
            continue
        same(both, "ntd", context, max_support=10**9, look=lambda mine, c=context: looked(mine, c))
        # Its longest suffix is all of it, since it occurs.
        if text.count(context):
            same(both, "infgram_ntd", context, max_support=10**9, look=lambda mine, c=context: looked(mine, c))
            asked += 1
    assert asked


def test_ends_of_longest_matches(both):
    engine, _, text = both
    ids = text_of(engine)

    def looked(_):
        return {"rs": [start + text.longest_match(ids[start:]) for start in range(len(ids))]}

    same(both, "creativity", ids, look=looked)
    same(both, "creativity", [])


@pytest.mark.parametrize("enforce_bow", [True, False])
def test_spans(both, enforce_bow):
    """All but the sums of probabilities, for which the package has a placeholder unless it is told to compute them."""
    engine, theirs, text = both
    ids = text_of(engine, seed=6)
    delimiters = ids[20:22]
    begins = [not enforce_bow or (token < 600 and token % 3 == 0) for token in ids]

    def plain(answer):
        return [
            (span["l"], span["r"], span["length"], span["count"], [(doc["s"], doc["ptr"]) for doc in span["docs"]])
            for span in answer["spans"]
        ]

    for least, most in ((0, 3), (2, 50)):
        mine = plain(engine.attribute(ids, delimiters, least, most, enforce_bow))
        assert mine
        expected = text.spans(ids, begins, delimiters, max(1, least), most)
        assert [(start, end, count) for start, end, _, count, _ in mine] == expected
        ask = partial(theirs.attribute, ids, delimiters, least, most, enforce_bow)
        assert theirs.answer(mine, lambda ask=ask: plain(ask()), lambda: None) == mine


def test_sums_of_probabilities_are_of_the_shares_of_tokens(both):
    engine, _, text = both
    ids = text_of(engine, 60)
    for span in engine.attribute(ids, [], 2, 100, False)["spans"]:
        shares = [text.count([token]) / text.count([]) for token in ids[span["l"] : span["r"]]]
        assert span["unigram_logprob_sum"] == pytest.approx(np.log(shares).sum(), abs=1e-9)


def clauses_of(engine, number):
    draw = random.Random(8)
    drawn = list(ngrams(engine, 200, 2, seed=8))
    for _ in range(number):
        yield [[draw.choice(drawn) for _ in range(draw.choice([1, 1, 2]))] for _ in range(draw.randint(1, 4))]


def test_and_of_clauses(both):
    """The package's matches are ours; what it drops beside the border of a document is looked up the slow way."""
    engine, theirs, text = both
    equal = 0
    for number, cnf in enumerate(clauses_of(engine, 25)):
        distance = (2, 5, 12)[number % 3]
        found = engine.find_cnf(cnf, max_diff_tokens=distance)
        expected = slow_ranges(text, cnf, distance)
        assert (found["cnt"], found["approx"]) == (sum(map(len, expected)), False)
        assert [sorted(ptrs) for ptrs in found["ptrs_by_shard"] or expected] == expected
        answer = theirs.find_cnf(cnf, max_clause_freq=10**9, max_diff_tokens=distance)
        assert answer["cnt"] <= found["cnt"]
        equal += answer == found
        counted = engine.count_cnf(cnf, max_diff_tokens=distance)
        assert counted == {"count": found["cnt"], "approx": False}
    assert equal >= 5


def slow_ranges(text, cnf, distance):
    """The bytes at which the matches begin in each shard, one occurrence after the other."""
    found = []
    for tokens in text.texts:
        document = np.cumsum(np.array(tokens) == 256**text.width - 1).tolist()
        places = [
            [i for ngram in clause for i in range(len(tokens)) if tokens[i : i + len(ngram)] == ngram] for clause in cnf
        ]
        first, *others = sorted(places, key=len)
        begins = []
        for place in first:
            low = high = place
            for other in others:
                near = [i for i in other if document[i] == document[place]]
                before = max((i for i in near if i < high), default=-1)
                after = min((i for i in near if i >= low), default=-1)
                sides = [i for i in (before, after) if i >= 0 and low - distance <= i <= high + distance]
                if not sides:
                    break
                low, high = min(low, *sides), max(high, *sides)
            else:
                begins.append(low * text.width)
        found.append(sorted(begins))
    return found


def test_documents_by_rank_and_pointer(both):
    engine, _, _ = both
    width = engine.index.local.token_width
    for s, (first, last) in enumerate(engine.find(text_of(engine)[:1])["segment_by_shard"]):
        for rank in (first, last - 1):
            for length in (1, 4, 5, 10**4):
                same(both, "get_doc_by_rank", s, rank, max_disp_len=length)
            same(both, "get_doc_by_rank", s, rank)
            same(both, "get_doc_by_rank_2", s, rank, 2, 3)
            same(both, "get_docs_by_ranks_2", [(s, rank, 0, 2), (s, rank, 3, 10**4)])
        # An even byte, which is all that the package takes of indexes of bytes.
        for ptr in (2 * width, 12 * width):
            same(both, "get_doc_by_ptr", s, ptr, max_disp_len=7)
            same(both, "get_docs_by_ptrs", [(s, ptr)], max_disp_len=6)
            same(both, "get_doc_by_ptr_2", s, ptr, 1, 2)
            same(both, "get_docs_by_ptrs_2", [(s, ptr, 2, 0)])


def test_several_ranks_at_once(both):
    """The package's own method calls one that its engine does not have, so it is compared with the single call."""
    engine, _, _ = both
    ranks = [(0, 40), (len(engine.index.shards) - 1, 3)]
    found = engine.get_docs_by_ranks(ranks, max_disp_len=4)
    assert found == [same(both, "get_doc_by_rank", s, rank, max_disp_len=4) for s, rank in ranks]


def test_documents_by_number(both):
    assert same(both, "get_total_doc_cnt") == 60
    for number in (0, 25, 59):
        for length in (1, 6, 10**4):
            same(both, "get_doc_by_ix", number, max_disp_len=length)
            same(both, "get_doc_by_ix_2", number, length)
        same(both, "get_docs_by_ixs", [number, 3], max_disp_len=5)
        same(both, "get_docs_by_ixs_2", [(number, 0), (3, 5)])


def test_drawn_documents(both):
    """What we draw at random is what the package reads there."""
    engine, theirs, _ = both
    ids = text_of(engine)[:1]
    found = engine.search_docs(ids, maxnum=5, max_disp_len=6)
    segments = engine.find(ids)["segment_by_shard"]
    ranks = [(s, rank) for s, segment in enumerate(segments) for rank in range(*segment)]
    assert found["cnt"] == len(ranks)
    for number, document in zip(found["idxs"], found["documents"], strict=True):
        s, rank = ranks[number]
        assert document == same(both, "get_doc_by_rank", s, rank, max_disp_len=6)
    assert set(theirs.search_docs(ids, maxnum=1)) == set(found)
    cnf = [[ids], [text_of(engine)[1:2]]]
    drawn = engine.search_docs_cnf(cnf, maxnum=3, max_disp_len=6)
    assert set(theirs.search_docs_cnf(cnf)) == set(drawn) == set(found)
    assert len(drawn["documents"]) == 3


def test_nothing_to_draw_from(both):
    engine, _, _ = both
    unseen = [engine.eos_token_id]
    same(both, "search_docs", unseen, maxnum=3)
    same(both, "search_docs_cnf", [[unseen], [[5]]], maxnum=3)
    same(both, "find_cnf", [[unseen], [[5]]])
    same(both, "ntd", unseen)
    same(both, "prob", unseen, 5)


def test_tokens_of_a_shard(both):
    """The package's process dies where tokens are 4 bytes wide."""
    engine, _, text = both
    ask = (
        engine.compute_unigram_counts if engine.token_id_max > 65535 else partial(same, both, "compute_unigram_counts")
    )
    tokens = text.texts[0]
    assert {token: count for token, count in ask(0).items() if count} == {
        token: tokens.count(token) for token in set(tokens)
    }


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        *((name, (bad,)) for name in ("find", "count", "creativity") for bad in ([-1], (1, 2), [True], [2**40], "a")),
        ("prob", ([1], -1)),
        ("infgram_prob", ([1], 1.0)),
        ("ntd", ([-1],)),
        ("ntd", ([1], 0)),
        ("infgram_ntd", ([1], True)),
        *((name, (bad,)) for name in ("find_cnf", "count_cnf", "search_docs_cnf") for bad in ([], [[]], [[[]]], [[1]])),
        ("find_cnf", ([[[1]]], 0)),
        ("count_cnf", ([[[1]]], 1, 0)),
        ("search_docs", ([1], 0)),
        ("search_docs", ([1], 1, 0)),
        ("get_doc_by_rank", (9, 0)),
        ("get_doc_by_rank", (0, 0, 0)),
        ("get_doc_by_rank_2", (0, 0, -1, 3)),
        ("get_docs_by_ranks_2", ([(0, 0, 1, -3)],)),
        ("get_doc_by_ptr", (9, 0)),
        ("get_docs_by_ptrs_2", ([(0, 0, -1, 1)],)),
        ("get_doc_by_ix", (60,)),
        ("get_docs_by_ixs", ([1, -1],)),
        ("get_doc_by_ix_2", (1, -1)),
        ("attribute", ([1], [-1], 1, 1, True)),
        ("attribute", ([1], [], -1, 1, True)),
        ("attribute", ([1], [], 1, 0, True)),
        ("attribute", ([1], [], 1, 1, 1)),
    ],
)
def test_wrong_arguments(both, name, arguments):
    assert list(same(both, name, *arguments)) == ["error"]


def test_wrong_ranks_and_pointers(both):
    """Where the package's sentence speaks of another argument, or of even bytes whatever the width."""
    engine, theirs, _ = both
    for name, arguments, named in (
        ("get_doc_by_rank", (0, -1), "rank"),
        ("get_docs_by_ranks", ([(0, 10**9)],), "rank"),
        ("get_doc_by_ptr", (0, -2), "ptr"),
        ("get_docs_by_ptrs", ([(0, 10**9)],), "ptr"),
        ("prob", ([-1], 1), "prompt_ids"),
    ):
        mine = getattr(engine, name)(*arguments)
        assert list(mine) == ["error"] == list(getattr(theirs, name)(*arguments))
        assert mine["error"].startswith(f"{named} must be ")
