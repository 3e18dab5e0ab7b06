"""A script that uses the whole library, with the types that a reader would write. mypy and pyright find no mistake."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import explorer
from explorer import Concordance, ConcordanceLine, Corpus, CorpusError, NextTokens, Query, Tabular, TokenSpan, Variant
from explorer.infini_gram import Engine

ROWS = [{"text": f"the cat sat on the mat and the dog {year} saw it", "year": year} for year in range(2018, 2024)]


def counted(corpus: Corpus, queries: Sequence[Query], variants: Sequence[Variant]) -> dict[str, int]:
    several: NDArray[np.int64] = corpus.count_many(queries, where={"year": {2019, 2020}}, threads=2)
    found = {str(query): corpus.count(query, match="tokens", where="year>=2020") for query in queries}
    return {**found, "cat": corpus.count("cat", variants, match="tokens"), "several": int(several.sum())}


def best(found: NextTokens) -> tuple[str, float]:
    first = found.top(1)
    return first.texts[0], float(first.probabilities[0])


def sides(lines: Concordance) -> Iterator[tuple[str, str]]:
    one: ConcordanceLine = lines[0]
    several: list[ConcordanceLine] = lines[1:5]
    for line in [one, *several, *lines]:
        yield line.left, line.right


def saved(results: Sequence[Tabular], folder: Path) -> list[int]:
    for number, result in enumerate(results):
        result.write(folder / f"{number}.parquet", about=number == 0)
        stated: dict[str, str] = dict(result.provenance)
        print(stated)
    return [len(result.to_pandas()) for result in results]


def built(folder: Path) -> list[Path]:
    guess: explorer.BuildEstimate = explorer.estimate_build(ROWS, out=folder / "index", tokenizer="bytes", shards=2)
    manifest = explorer.build_index(iter(ROWS), folder / "index", tokenizer="bytes", name="Cats", memory=1)
    more = explorer.add_documents(folder / "index", [{"text": "a dog", "year": 2024}], metadata_fields=["year"])
    whole = explorer.merge_indexes([folder / "index"], folder / "merged", where=["year>=2020", "year<2023"])
    print(guess.warnings, manifest.token_count, more.document_count, whole.document_count)
    return [folder / "index", folder / "merged"]


def asked(corpus: Corpus, token: int, cancel: explorer.CancelToken) -> tuple[float, ...]:
    exact: explorer.Probability = corpus.prob("the ca", token)
    places: explorer.Located = corpus.locate(corpus.find("cat"), sample=2, seed=1)
    spans: list[TokenSpan] = corpus.spans("the cat sat", min_length=2, max_count=10, word_boundaries="unicode")
    longest: NDArray[np.int64] = corpus.longest_matches(corpus.encode("the cat"))
    pair = best(corpus.next_tokens("the ", limit=100)), best(corpus.infgram_next_tokens("the "))
    print(pair, places.document.tolist(), [span.count for span in spans], corpus.cnf([["cat"], ["mat"]]).count)
    documents = corpus.count_documents("cat", ignore_case=True, cancel=cancel)
    return exact.probability, corpus.infgram_prob("the ca", token).probability, float(longest.max()), documents


def modeled(corpus: Corpus, texts: Sequence[str]) -> list[Tabular]:
    model: explorer.LanguageModel = corpus.model("levels", levels=None, vocabulary="all", report=print)
    score: explorer.TextScore = model.score(texts[0], prompt="the dog")
    written: explorer.Generated = model.generate("the cat", max_tokens=5, temperature=0.5, seed=1)
    ids: list[int] = [each.token for each in model.write("the cat", max_tokens=5, seed=1)]
    bench: explorer.DraftBench = corpus.draft_bench(texts, context=16)
    tokens = tuple(explorer.ScoredToken(at, at + 1, -1.5) for at in range(len(texts[0])))
    scored: explorer.Scored = explorer.ScoredText(texts[0], tokens)
    mixed: explorer.Mix = explorer.mix(corpus, scored, model=model, log_base="e", instance="learned", report=print)
    print(mixed.weights.sparse, mixed.mixture.half, mixed.second.hybrid.bits_per_character, mixed.curve[0].weight)
    probes: explorer.Probes = model.probe(["the cat sat on the"], ["mat"])
    right: float = probes.facts().accuracy
    print(right, probes.texts[0].rank, model.perplexity(texts, accuracy=True).total.accuracy)
    sizes_of_file: tuple[int, ...] = corpus.model("witten-bell", context=4).save_arpa("corpus.arpa", report=print)
    print(sizes_of_file)
    print(model.log_probability(texts[0]), corpus.draft("the ca").tolist(), bench.total.tokens_per_step)
    sizes: explorer.MixSizes = corpus.mix_by_size(scored, halvings=1, seed=1)
    print(written.text, corpus.decode(ids), [row.improvement for row in sizes.rows])
    hints: explorer.Hints = corpus.hints("the cat", leave_one_out=True)
    print(hints.samples.shape, sum(len(part) for part in corpus.document_hints(samples=5)))
    return [
        model.distribution("the "),
        model.perplexity(texts, leave_one_out=True),
        score,
        written,
        bench,
        mixed,
        probes,
        sizes,
    ]


def frequent(corpus: Corpus) -> list[tuple[str | None, int]]:
    words: Corpus = corpus.words(accents=False, shortest=2)
    print(words.count("the cat", match="tokens"), words.word_origins([0], [1]).tolist())
    found: explorer.Ngrams = corpus.ngrams(max_n=3, top=5, min_count=2, begins_with="the")
    each: Iterator[explorer.NgramRecord] = explorer.each_ngram(corpus, 2, min_count=2, contains="a")
    print(next(each).count)
    spectra: tuple[explorer.CountSpectrum, ...] = explorer.count_spectra(corpus, 2)
    distinct: explorer.DistinctNgrams = explorer.distinct_ngrams(corpus)
    growth: explorer.NgramGrowth = explorer.ngram_growth(corpus, max_n=3, sizes=2)
    print(spectra[0].above([1]), distinct.all_distinct, growth.ngrams.shape)
    grown: explorer.VocabularyGrowth = explorer.vocabulary_growth(corpus, "tokens", step=5, shuffle=1)
    ranks: explorer.RankCurve = explorer.rank_curve(corpus, 1, 9)
    law: explorer.PowerLaw | None = ranks.law or grown.heaps
    print(law and law.exponent, grown.types.tolist(), ranks.counts.tolist())
    leaked: explorer.ContaminationTable = corpus.contamination([{"question": "a"}], unit="tokens", parts=["question"])
    files: tuple[explorer.BenchmarkRecord, ...] = leaked.files
    items: list[explorer.ContaminationRecord] = [leaked[0], *leaked.flagged]
    rules: explorer.RuleCounts = files[0].rules
    print(items[0].longest_share, rules.any_13, files[0].flagged_share)
    board: explorer.ContaminationBoard = explorer.contamination_board(
        [corpus], [{"question": "a"}], thresholds=explorer.Thresholds(flag_at=0.4)
    )
    print(board)
    again: explorer.RepeatTable = corpus.repeats(2, top=5, by="length")
    passages: list[explorer.RepeatRecord] = list(again)
    stretches: tuple[explorer.RunRecord, ...] = again.runs
    print(passages[0].tokens_saved, again.ids(0).tolist(), [run.times for run in stretches], again.overlapping)
    cuts: explorer.Ranges = explorer.ranges_of([0], [0], [1])
    seen: explorer.CutDocument = corpus.preview_cuts(cuts, 0)
    print(seen.kept, seen.byte_spans(), seen.original)
    with tempfile.TemporaryDirectory() as place:
        cut: explorer.CutExport = corpus.export_cuts(cuts, Path(place, "cut"), format="annotated", characters=True)
        counted: explorer.CutCounts = cut.counts
        all_of_it = explorer.ranges_of([0], [0], [corpus.document(0).token_count])
        removed: explorer.Manifest = corpus.removal_index(all_of_it, Path(place, "removed"))
        print(removed.document_count, counted.documents_touched, counted.bytes_removed, cut.files)
    private: explorer.PersonalTable = corpus.personal_data(["email", "key"], top=5, masked=False)
    secrets: list[explorer.PersonalRecord] = list(private)
    sorts: tuple[explorer.PersonalKindRecord, ...] = private.kinds
    parts: tuple[explorer.PersonalGroupRecord, ...] = private.groups("year")
    summed: explorer.PersonalFacts = private.facts
    print(secrets, sorts[0].note, parts, summed.tokens, private.ranges.tokens)
    gone: explorer.Decontamination = corpus.decontamination([{"question": "the cat sat"}], n=2, by="year")
    taken: list[explorer.DecontaminationRecord] = list(gone)
    years: tuple[explorer.DecontaminationGroup, ...] = gone.groups
    print(
        gone.ranges.union(cuts).tokens, [row.share for row in taken], [year.filtered for year in years], gone.too_short
    )
    whole: explorer.DuplicateDocuments = corpus.duplicate_documents(where="year>=2000")
    equal: list[explorer.CopiedDocumentRecord] = list(whole)
    print([row.copies for row in equal], whole.copies, whole.ranges.tokens)
    copies: explorer.DuplicateTable = corpus.duplicates(2, "first", gap=1, across=True)
    spared: explorer.DuplicateTable = corpus.duplicates(2, prefer="year>=2020", never=["cat"], borders="words")
    again_cut: int = corpus.duplicates_left(spared.ranges, 2, "first")
    print(again_cut)
    copied: explorer.Ranges = copies.ranges
    pieces: list[explorer.DuplicateRecord] = list(copies)
    print(copied.tokens, pieces, copies.bytes_removed, corpus.duplicates_curve([2, 3], "all").tolist())
    near: explorer.CollocateTable = corpus.collocates("cat", (2, 2), min_count=1, unit="words")
    strongest: explorer.CollocateRecord = near[0]
    around: explorer.ClusterTable = corpus.clusters("cat", (2, 3), "left", min_count=2, where="year>=2000")
    longest: explorer.ClusterRecord = around[0]
    print(longest.size, around.ids(0).tolist())
    keys: explorer.Keywords = corpus.keywords(corpus, measure="log_ratio", top=5)
    varied: explorer.DiversityTable = corpus.diversity("year", where="year>=2000")
    one_group: explorer.DiversityRecord = corpus.diversity(per_document=True)[0]
    print(varied[0].mtld, one_group.hdd)
    spread: explorer.DispersionTable = corpus.dispersion(by="year", top=5)
    even: explorer.DispersionRecord = corpus.dispersion(slices=2, min_count=1)[0]
    print(spread.parts, spread.total, even.d_a)
    strips: explorer.DispersionStrips = explorer.dispersion_strips(corpus, ["the", "cat"], slices=2)
    strip: explorer.Strip = strips.strips(5, by_rate=False)[0]
    cell: explorer.StripRecord = next(iter(strips))
    print(strip.title, strip.ticks, cell.count, strips.counts("the").tolist(), strips.measures, strips.met)
    key: explorer.KeywordRecord = corpus.keywords({"the": 3}, min_count=1)[0]
    print(keys.reference, keys.total, keys.reference_total, keys.tested, key.g2)
    print(near.node_count, near.window_tokens, near.total, strongest.logdice, len(corpus.keywords(where="year=2020")))
    one: explorer.NgramList = found.of_length(2)
    first: explorer.NgramFacts = found.figures[0]
    rows: list[explorer.NgramRecord] = list(found)
    print(one.counts.tolist(), first.hapaxes, int(found.spectrum(1).sum()))
    table: explorer.Fgrams = corpus.fgrams(max_n=3, size=10)
    matched: explorer.FgramMatches = table.match("the cat")
    covered: tuple[explorer.FgramCoverage, ...] = table.coverage(["the cat"], sizes=[5])
    sizes: tuple[explorer.FgramSize, ...] = table.by_n
    print(matched.mean_length, matched.coverage, covered[0].kept, sizes[0].at_least, table.embedding_bytes(64))
    table.write_arrays("table")
    np.save("tokens.npy", np.zeros((256, 8), dtype=np.float32))
    stored: explorer.StoredFgrams = explorer.open_fgrams("table", corpus)
    print(stored.fill_with_tokens("tokens.npy", value_type="int8"), stored.embed("the cat", "tokens.npy").shape)
    filled: explorer.EmbeddingFacts = stored.embeddings
    print(filled.dimension, filled.rows, len(stored), stored.fill_with_model)
    print(table.ids(2).tolist(), table.counts(2).tolist(), table.cutoff, table.max_n)
    return [(row.form, row.count) for row in rows]


def from_server(url: str, texts: Sequence[str], path: Path) -> float:
    path.write_text('{"text": "a dog", "tokens": [{"start": 1, "end": 5, "logprob": -2.5}]}', encoding="utf-8")
    known: tuple[explorer.ScoredText, ...] = explorer.read_scored(path)
    try:
        found = list(explorer.ask_model(url, texts, done=known, top=2, confirm=lambda host: host == "model:8000"))
    except explorer.ServerError as error:
        print(error.reason)
        return 0.0
    tokens: list[explorer.ScoredToken] = [token for text in found for token in text.tokens]
    return sum(token.logprob for token in tokens if token.logprob is not None)


def mixed_tables(corpus: Corpus, url: str, tokenizer: Path) -> list[Tabular]:
    model = corpus.model("infgram")
    spread: explorer.TokenDistribution = model.token_distribution("the ca", tokenizer, least=0.01)
    with model.mixed_with(url, weight=explorer.by_confidence(0.5), candidates=5) as mixed:
        both: explorer.MixedModel = mixed
        shares: explorer.MixedShares = both.distribution("the ")
        tokens: list[explorer.MixedToken] = list(both.write("the ", max_tokens=3, temperature=0))
        both.use(corpus.model("levels"), weight=0.2)
        text: explorer.MixedText = both.text_of("the ", tokens)
        print(text.longest_verbatim, spread.product_total, shares.total, tokens[0].place, both.name)
        return [spread, shares, text]


def described(corpus: Corpus) -> str:
    titles = [document.text for document in corpus.documents[:2] if "cat" in document.text]
    first: explorer.Document = corpus.document(0)
    sizes = (corpus.token_count, corpus.document_count, corpus.shard_count, corpus.minus_unmatched, first.token_count)
    fields = corpus.metadata_fields if corpus.metadata_fields_complete else ()
    return corpus.decode(corpus.encode(f"{corpus.folders} {sizes} {fields} {titles} {corpus.closed}"))


def main(folder: Path) -> str:
    index, merged = built(folder)
    print(explorer.verify_index(index, deep=True).sound, explorer.enable_fault_guard())
    print(Engine(merged, eos_token_id=0, token_dtype="u8").count([99, 97, 116]))
    cancel = explorer.CancelToken()
    with explorer.open_index([index, merged], minus=None, allow_same=True, cancel=cancel) as corpus:
        settings = explorer.TraceSettings(word_boundaries="unicode", relevance="share", read="auto")
        traced = corpus.trace("the cat sat on the mat", settings=settings, without_self=True, cancel=cancel)
        lines = corpus.concordance(corpus.search("cat AND NOT bird", max_distance=20, where="year>=2019"), sort="left")
        in_words = corpus.trace("the cat", settings=explorer.TraceSettings(match="words"), report=print)
        assert in_words.unit == "words" and in_words.units(in_words.token_count)
        many = corpus.trace_many(ROWS, text_field="text", on_bad="keep", settings=settings, report=print)
        compared = corpus.compare_agreement([row["text"] for row in ROWS if isinstance(row["text"], str)], range(6))
        recent: Corpus = corpus.subset("year>=2020")
        table = lines.table(5, fields=("year",))
        agreement = recent.agreement("the cat sat", max_n=5, first=1)
        places: list[Tabular] = [corpus.locate("dog"), corpus.metadata(["year"])]
        tables = [traced, lines, table, many, compared, agreement, *places, *modeled(corpus, ["the cat sat", "a dog"])]
        try:
            mixed_tables(corpus, "http://192.0.2.1", folder / "none.json")
        except CorpusError as error:
            print(error.reason)
        print(from_server("http://192.0.2.1", ["a dog"], folder / "scored.jsonl"))
        both: explorer.TextComparison = explorer.compare_texts("one text", "another text", least=1)
        print(saved(tables, folder), asked(corpus, ord("t"), cancel), len(both.differences), list(sides(lines)))
        try:
            print(counted(corpus, ["cat", corpus.encode("dog")], ["space", "lower"]), "cat" in corpus, frequent(corpus))
            explorer.open_project(folder / "none.cxproj")
        except CorpusError as error:
            print(error.reason, error.path, error.line, [trace.coverage for trace in many if trace is not None])
        return traced.to_html() + described(corpus)
