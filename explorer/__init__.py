"""Corpus Explorer: what is in a text corpus, and which parts of a text occur in it.

Examples
--------
`folder` is the folder of an index, such as `build_index` or the infini-gram package makes.

>>> import explorer
>>> corpus = explorer.open_index(folder)
>>> corpus.count("the cat")
3
>>> corpus.search('"the cat" AND NOT rug').count
2

Notes
-----
Names load when they are first used, so that the command line starts fast and answers Ctrl-C from the start.
"""

from __future__ import annotations

# Type checkers treat this name as true. Importing `typing` itself would take longer than everything else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from explorer.analyses.agreement.table import BinRecord, SourceRecord
    from explorer.analyses.collocates.table import CollocateRecord
    from explorer.analyses.contamination.table import (
        BenchmarkRecord,
        BoardRecord,
        ContaminationRecord,
        GainRecord,
        OwnRecord,
    )
    from explorer.analyses.decontamination.table import DecontaminationGroup, DecontaminationRecord
    from explorer.analyses.dispersion.table import DispersionRecord, StripRecord
    from explorer.analyses.diversity.table import DiversityRecord
    from explorer.analyses.duplicate_documents.table import CopiedDocumentRecord
    from explorer.analyses.duplicates.table import DuplicateRecord
    from explorer.analyses.keywords.table import KeywordRecord
    from explorer.analyses.personal_data.table import (
        PersonalFacts,
        PersonalGroupRecord,
        PersonalKindRecord,
        PersonalRecord,
    )
    from explorer.analyses.repeats.table import RepeatRecord, RunRecord
    from explorer.api import Corpus, open_index
    from explorer.api.contamination import contamination_board
    from explorer.api.curves import rank_curve, vocabulary_growth
    from explorer.api.documents import Documents, Metadata
    from explorer.api.fgram_tables import StoredFgrams, open_fgrams
    from explorer.api.merging import merge_indexes
    from explorer.api.mixed_model import BesideNeural, MixedModel
    from explorer.api.mixing import Scored, mix
    from explorer.api.models import LanguageModel
    from explorer.api.ngrams import each_ngram
    from explorer.api.results import Agreement, Concordance, LineRows, Located, NextTokens, Trace, Traces
    from explorer.api.results.analysis import AnalysisTable
    from explorer.api.results.clusters import ClusterTable
    from explorer.api.results.collocates import CollocateTable
    from explorer.api.results.comparison import AgreementResult
    from explorer.api.results.contamination import ContaminationTable
    from explorer.api.results.contamination_board import ContaminationBoard
    from explorer.api.results.decontamination import Decontamination
    from explorer.api.results.dispersion import DispersionTable
    from explorer.api.results.diversity import DiversityTable
    from explorer.api.results.drafts import DraftBench
    from explorer.api.results.duplicate_documents import DuplicateDocuments
    from explorer.api.results.duplicates import DuplicateTable
    from explorer.api.results.fgrams import Fgrams
    from explorer.api.results.hints import Hints
    from explorer.api.results.keywords import Keywords
    from explorer.api.results.mixed import MixedShares, MixedText, TokenDistribution
    from explorer.api.results.mixing import Mix, MixSizes
    from explorer.api.results.model import Generated, NextShares, Perplexity, TextScore
    from explorer.api.results.ngrams import Ngrams
    from explorer.api.results.personal import PersonalTable
    from explorer.api.results.probes import Probes
    from explorer.api.results.repeats import RepeatTable
    from explorer.api.results.strips import DispersionStrips
    from explorer.api.spectra import count_spectra, distinct_ngrams, ngram_growth
    from explorer.api.strips import dispersion_strips
    from explorer.api.tabular import Tabular
    from explorer.api.tracing import OnBad
    from explorer.api.types import FilePath, Ids, Match, Query, ReadMode, Relevance, Variant, WordBoundaries
    from explorer.api.where import Where
    from explorer.backends.list_values import NgramGrowth, NgramList
    from explorer.backends.places import HitPlace
    from explorer.backends.places import Located as LinePlaces
    from explorer.backends.protocol import Matches, TextMatches
    from explorer.backends.ranges import Ranges, ranges_of
    from explorer.backends.request import TokenizerObject
    from explorer.backends.values import Level
    from explorer.building.adding import add_documents
    from explorer.building.estimate import BuildEstimate, FormatEstimate, SampleText, estimate_build
    from explorer.building.given import ArrowStream, Sources
    from explorer.building.run import build_index
    from explorer.building.source import KindCount, Problem
    from explorer.checking.verify import Finding, VerifyReport, verify_index
    from explorer.curation.benchmarks import BenchmarkColumns
    from explorer.curation.item_matches import Thresholds
    from explorer.curation.rules import RuleCounts
    from explorer.documents.document import Document
    from explorer.errors import (
        BuildError,
        Cancelled,
        CapabilityError,
        CorpusError,
        DamagedIndexError,
        IndexNotFoundError,
        NotAnIndexError,
        QueryError,
        SourceError,
        TokenizerError,
        UnavailableError,
    )
    from explorer.export.cut_texts import CutDocument
    from explorer.export.cuts import CutCounts, CutExport
    from explorer.export.destination import ExportError
    from explorer.export.fgram_embeddings import EmbeddingFacts
    from explorer.export.records.clusters import ClusterRecord
    from explorer.export.records.draft import DraftFacts, DraftRecord
    from explorer.export.records.hints import HintFacts, HintRecord
    from explorer.export.records.mix import (
        CopiedTextRecord,
        CurveRecord,
        MixFacts,
        MixInstanceRecord,
        MixPartRecord,
        MixRecord,
        MixSizeRecord,
        MixTotalRecord,
    )
    from explorer.export.records.model import GeneratedRecord, PerplexityRecord, TransformRecord, WrittenRecord
    from explorer.export.records.ngram import NgramFacts, NgramRecord
    from explorer.export.records.probe import ProbeFacts, ProbeRecord
    from explorer.export.records.trace import TraceRecord
    from explorer.files.mapped import enable_fault_guard
    from explorer.index.manifest import Manifest
    from explorer.jobs import CancelToken, Progress, Report
    from explorer.measures.longest_passage import LongestPassage
    from explorer.measures.novelty import Novelty
    from explorer.measures.registry import Measured
    from explorer.model.drafting import DraftFigures
    from explorer.model.generation import LevelFigures, Used, Written
    from explorer.model.instance import InstanceMixture
    from explorer.model.making import MethodName
    from explorer.model.mixed_writing import MixedToken
    from explorer.model.mixing import CurvePoint, MixPart, MixTotal, Mixture, MixUnits, Weights
    from explorer.model.mixing_tokens import by_confidence
    from explorer.model.scoring import Total
    from explorer.neural.address import ServerError
    from explorer.neural.asking import ask_model
    from explorer.neural.records import LogBase, ScoredText, ScoredToken, read_scored
    from explorer.overlap.alignment import Difference, SameWords, TextComparison, compare_texts
    from explorer.overlap.self_match import SelfMatch
    from explorer.overlap.verbatim import Passage
    from explorer.project import Project, ProjectError, open_project
    from explorer.reading import ReadingText, StyledRun
    from explorer.search.arrange import LineSettings, NearFilter, SortLevel
    from explorer.search.cnf import CnfMatches, CnfOptions
    from explorer.search.concordance import ConcordanceLine
    from explorer.search.counts import Probability
    from explorer.search.find import Clause, QueryOptions, QueryResult
    from explorer.search.language import ParsedQuery, QuerySyntaxError
    from explorer.search.query import PhraseResult
    from explorer.search.values import FieldFilter
    from explorer.statistics.curves import PowerLaw, RankCurve, VocabularyGrowth
    from explorer.statistics.fgrams import FgramCoverage, FgramMatches, FgramSize
    from explorer.statistics.spectra import CountSpectrum, DistinctNgrams
    from explorer.statistics.strips import Strip
    from explorer.texts.on_bad import BadText
    from explorer.tokens.decode import DecodedText
    from explorer.trace.documents import Snippet, TraceDocument
    from explorer.trace.settings import TraceSettings
    from explorer.trace.spans import TokenSpan
    from explorer.trace.trace import MergedSpan, Span, TraceTimes
    from explorer.version import VERSION as __version__

_NAMES = {
    "explorer.api": ("Corpus", "open_index"),
    "explorer.api.merging": ("merge_indexes",),
    "explorer.api.documents": ("Documents", "Metadata"),
    "explorer.api.results": (
        "Agreement",
        "AgreementResult",
        "Concordance",
        "LineRows",
        "Located",
        "NextTokens",
        "Trace",
        "Traces",
    ),
    "explorer.api.mixed_model": ("BesideNeural", "MixedModel"),
    "explorer.api.mixing": ("Scored", "mix"),
    "explorer.api.ngrams": ("each_ngram",),
    "explorer.api.curves": ("rank_curve", "vocabulary_growth"),
    "explorer.api.strips": ("dispersion_strips",),
    "explorer.api.results.strips": ("DispersionStrips",),
    "explorer.statistics.strips": ("Strip",),
    "explorer.api.spectra": ("count_spectra", "distinct_ngrams", "ngram_growth"),
    "explorer.statistics.curves": ("PowerLaw", "RankCurve", "VocabularyGrowth"),
    "explorer.statistics.spectra": ("CountSpectrum", "DistinctNgrams"),
    "explorer.api.models": ("LanguageModel",),
    "explorer.api.results.drafts": ("DraftBench",),
    "explorer.api.results.analysis": ("AnalysisTable",),
    "explorer.api.results.clusters": ("ClusterTable",),
    "explorer.api.results.collocates": ("CollocateTable",),
    "explorer.api.results.keywords": ("Keywords",),
    "explorer.api.results.diversity": ("DiversityTable",),
    "explorer.api.results.duplicate_documents": ("DuplicateDocuments",),
    "explorer.api.results.duplicates": ("DuplicateTable",),
    "explorer.api.results.repeats": ("RepeatTable",),
    "explorer.api.results.personal": ("PersonalTable",),
    "explorer.analyses.personal_data.table": (
        "PersonalFacts",
        "PersonalGroupRecord",
        "PersonalKindRecord",
        "PersonalRecord",
    ),
    "explorer.api.contamination": ("contamination_board",),
    "explorer.api.results.contamination": ("ContaminationTable",),
    "explorer.api.results.contamination_board": ("ContaminationBoard",),
    "explorer.curation.benchmarks": ("BenchmarkColumns",),
    "explorer.curation.item_matches": ("Thresholds",),
    "explorer.texts.on_bad": ("BadText",),
    "explorer.curation.rules": ("RuleCounts",),
    "explorer.backends.ranges": ("Ranges", "ranges_of"),
    "explorer.api.results.decontamination": ("Decontamination",),
    "explorer.analyses.decontamination.table": ("DecontaminationGroup", "DecontaminationRecord"),
    "explorer.export.cut_texts": ("CutDocument",),
    "explorer.export.cuts": ("CutCounts", "CutExport"),
    "explorer.analyses.duplicates.table": ("DuplicateRecord",),
    "explorer.analyses.repeats.table": ("RepeatRecord", "RunRecord"),
    "explorer.analyses.contamination.table": (
        "BenchmarkRecord",
        "BoardRecord",
        "ContaminationRecord",
        "GainRecord",
        "OwnRecord",
    ),
    "explorer.api.results.dispersion": ("DispersionTable",),
    "explorer.api.fgram_tables": ("StoredFgrams", "open_fgrams"),
    "explorer.api.results.fgrams": ("Fgrams",),
    "explorer.api.results.hints": ("Hints",),
    "explorer.export.fgram_embeddings": ("EmbeddingFacts",),
    "explorer.statistics.fgrams": ("FgramCoverage", "FgramMatches", "FgramSize"),
    "explorer.api.results.mixing": ("Mix", "MixSizes"),
    "explorer.api.results.mixed": ("MixedShares", "MixedText", "TokenDistribution"),
    "explorer.api.results.ngrams": ("Ngrams",),
    "explorer.api.results.probes": ("Probes",),
    "explorer.api.results.model": (
        "Generated",
        "NextShares",
        "Perplexity",
        "TextScore",
    ),
    "explorer.export.records.draft": ("DraftFacts", "DraftRecord"),
    "explorer.export.records.hints": ("HintFacts", "HintRecord"),
    "explorer.analyses.keywords.table": ("KeywordRecord",),
    "explorer.analyses.diversity.table": ("DiversityRecord",),
    "explorer.analyses.duplicate_documents.table": ("CopiedDocumentRecord",),
    "explorer.analyses.dispersion.table": ("DispersionRecord", "StripRecord"),
    "explorer.export.records.clusters": ("ClusterRecord",),
    "explorer.analyses.collocates.table": ("CollocateRecord",),
    "explorer.export.records.ngram": ("NgramFacts", "NgramRecord"),
    "explorer.backends.list_values": ("NgramGrowth", "NgramList"),
    "explorer.export.records.mix": (
        "CopiedTextRecord",
        "CurveRecord",
        "MixFacts",
        "MixInstanceRecord",
        "MixPartRecord",
        "MixRecord",
        "MixSizeRecord",
        "MixTotalRecord",
    ),
    "explorer.export.records.probe": ("ProbeFacts", "ProbeRecord"),
    "explorer.export.records.model": (
        "GeneratedRecord",
        "PerplexityRecord",
        "TransformRecord",
        "WrittenRecord",
    ),
    "explorer.model.distribution": ("Level",),
    "explorer.model.drafting": ("DraftFigures",),
    "explorer.model.generation": (
        "LevelFigures",
        "Used",
        "Written",
    ),
    "explorer.model.instance": ("InstanceMixture",),
    "explorer.model.making": ("MethodName",),
    "explorer.model.mixed_writing": ("MixedToken",),
    "explorer.model.mixing_tokens": ("by_confidence",),
    "explorer.model.mixing": ("CurvePoint", "MixPart", "MixTotal", "MixUnits", "Mixture", "Weights"),
    "explorer.model.scoring": ("Total",),
    "explorer.neural.records": ("LogBase", "ScoredText", "ScoredToken", "read_scored"),
    "explorer.api.tabular": ("Tabular",),
    "explorer.api.tracing": ("OnBad",),
    "explorer.api.types": ("FilePath", "Ids", "Match", "Query", "ReadMode", "Relevance", "Variant", "WordBoundaries"),
    "explorer.api.where": ("Where",),
    "explorer.backends.places": ("HitPlace", "LinePlaces"),
    "explorer.backends.protocol": ("Matches", "TextMatches"),
    "explorer.backends.request": ("TokenizerObject",),
    "explorer.building.adding": ("add_documents",),
    "explorer.building.estimate": ("BuildEstimate", "FormatEstimate", "SampleText", "estimate_build"),
    "explorer.building.given": ("ArrowStream", "Sources"),
    "explorer.building.source": ("KindCount", "Problem"),
    "explorer.building.run": ("build_index",),
    "explorer.checking.verify": ("Finding", "VerifyReport", "verify_index"),
    "explorer.documents.document": ("Document",),
    "explorer.errors": (
        "BuildError",
        "Cancelled",
        "CapabilityError",
        "CorpusError",
        "DamagedIndexError",
        "IndexNotFoundError",
        "NotAnIndexError",
        "QueryError",
        "SourceError",
        "TokenizerError",
        "UnavailableError",
    ),
    "explorer.export.destination": ("ExportError",),
    "explorer.analyses.agreement.table": ("BinRecord", "SourceRecord"),
    "explorer.export.records.trace": ("TraceRecord",),
    "explorer.files.mapped": ("enable_fault_guard",),
    "explorer.index.manifest": ("Manifest",),
    "explorer.jobs": ("CancelToken", "Progress", "Report"),
    "explorer.measures.longest_passage": ("LongestPassage",),
    "explorer.measures.novelty": ("Novelty",),
    "explorer.measures.registry": ("Measured",),
    "explorer.neural.address": ("ServerError",),
    "explorer.neural.asking": ("ask_model",),
    "explorer.overlap.alignment": ("Difference", "SameWords", "TextComparison", "compare_texts"),
    "explorer.overlap.self_match": ("SelfMatch",),
    "explorer.overlap.verbatim": ("Passage",),
    "explorer.project": ("Project", "ProjectError", "open_project"),
    "explorer.reading": ("ReadingText", "StyledRun"),
    "explorer.search.arrange": ("LineSettings", "NearFilter", "SortLevel"),
    "explorer.search.cnf": ("CnfMatches", "CnfOptions"),
    "explorer.search.concordance": ("ConcordanceLine",),
    "explorer.search.counts": ("Probability",),
    "explorer.search.find": ("Clause", "QueryOptions", "QueryResult"),
    "explorer.search.language": ("ParsedQuery", "QuerySyntaxError"),
    "explorer.search.query": ("PhraseResult",),
    "explorer.search.values": ("FieldFilter",),
    "explorer.tokens.decode": ("DecodedText",),
    "explorer.trace.documents": ("Snippet", "TraceDocument"),
    "explorer.trace.settings": ("TraceSettings",),
    "explorer.trace.spans": ("TokenSpan",),
    "explorer.trace.trace": ("MergedSpan", "Span", "TraceTimes"),
    "explorer.version": ("__version__",),
}
"""The names of the library, by the module where each is; a test compares them with the imports above."""
_WHERE = {name: module for module, names in _NAMES.items() for name in names}
_RENAMED = {"__version__": "VERSION", "LinePlaces": "Located"}

__all__ = [
    "Agreement",
    "AgreementResult",
    "AnalysisTable",
    "ArrowStream",
    "BadText",
    "BenchmarkColumns",
    "BenchmarkRecord",
    "BesideNeural",
    "BinRecord",
    "BoardRecord",
    "BuildError",
    "BuildEstimate",
    "CancelToken",
    "Cancelled",
    "CapabilityError",
    "Clause",
    "ClusterRecord",
    "ClusterTable",
    "CnfMatches",
    "CnfOptions",
    "CollocateRecord",
    "CollocateTable",
    "Concordance",
    "ConcordanceLine",
    "ContaminationBoard",
    "ContaminationRecord",
    "ContaminationTable",
    "CopiedDocumentRecord",
    "CopiedTextRecord",
    "Corpus",
    "CorpusError",
    "CountSpectrum",
    "CurvePoint",
    "CurveRecord",
    "CutCounts",
    "CutDocument",
    "CutExport",
    "DamagedIndexError",
    "DecodedText",
    "Decontamination",
    "DecontaminationGroup",
    "DecontaminationRecord",
    "Difference",
    "DispersionRecord",
    "DispersionStrips",
    "DispersionTable",
    "DistinctNgrams",
    "DiversityRecord",
    "DiversityTable",
    "Document",
    "Documents",
    "DraftBench",
    "DraftFacts",
    "DraftFigures",
    "DraftRecord",
    "DuplicateDocuments",
    "DuplicateRecord",
    "DuplicateTable",
    "EmbeddingFacts",
    "ExportError",
    "FgramCoverage",
    "FgramMatches",
    "FgramSize",
    "Fgrams",
    "FieldFilter",
    "FilePath",
    "Finding",
    "FormatEstimate",
    "GainRecord",
    "Generated",
    "GeneratedRecord",
    "HintFacts",
    "HintRecord",
    "Hints",
    "HitPlace",
    "Ids",
    "IndexNotFoundError",
    "InstanceMixture",
    "KeywordRecord",
    "Keywords",
    "KindCount",
    "LanguageModel",
    "Level",
    "LevelFigures",
    "LinePlaces",
    "LineRows",
    "LineSettings",
    "Located",
    "LogBase",
    "LongestPassage",
    "Manifest",
    "Match",
    "Matches",
    "Measured",
    "MergedSpan",
    "Metadata",
    "MethodName",
    "Mix",
    "MixFacts",
    "MixInstanceRecord",
    "MixPart",
    "MixPartRecord",
    "MixRecord",
    "MixSizeRecord",
    "MixSizes",
    "MixTotal",
    "MixTotalRecord",
    "MixUnits",
    "MixedModel",
    "MixedShares",
    "MixedText",
    "MixedToken",
    "Mixture",
    "NearFilter",
    "NextShares",
    "NextTokens",
    "NgramFacts",
    "NgramGrowth",
    "NgramList",
    "NgramRecord",
    "Ngrams",
    "NotAnIndexError",
    "Novelty",
    "OnBad",
    "OwnRecord",
    "ParsedQuery",
    "Passage",
    "Perplexity",
    "PerplexityRecord",
    "PersonalFacts",
    "PersonalGroupRecord",
    "PersonalKindRecord",
    "PersonalRecord",
    "PersonalTable",
    "PhraseResult",
    "PowerLaw",
    "Probability",
    "ProbeFacts",
    "ProbeRecord",
    "Probes",
    "Problem",
    "Progress",
    "Project",
    "ProjectError",
    "Query",
    "QueryError",
    "QueryOptions",
    "QueryResult",
    "QuerySyntaxError",
    "Ranges",
    "RankCurve",
    "ReadMode",
    "ReadingText",
    "Relevance",
    "RepeatRecord",
    "RepeatTable",
    "Report",
    "RuleCounts",
    "RunRecord",
    "SameWords",
    "SampleText",
    "Scored",
    "ScoredText",
    "ScoredToken",
    "SelfMatch",
    "ServerError",
    "Snippet",
    "SortLevel",
    "SourceError",
    "SourceRecord",
    "Sources",
    "Span",
    "StoredFgrams",
    "Strip",
    "StripRecord",
    "StyledRun",
    "Tabular",
    "TextComparison",
    "TextMatches",
    "TextScore",
    "Thresholds",
    "TokenDistribution",
    "TokenSpan",
    "TokenizerError",
    "TokenizerObject",
    "Total",
    "Trace",
    "TraceDocument",
    "TraceRecord",
    "TraceSettings",
    "TraceTimes",
    "Traces",
    "TransformRecord",
    "UnavailableError",
    "Used",
    "Variant",
    "VerifyReport",
    "VocabularyGrowth",
    "Weights",
    "Where",
    "WordBoundaries",
    "Written",
    "WrittenRecord",
    "__version__",
    "add_documents",
    "ask_model",
    "build_index",
    "by_confidence",
    "compare_texts",
    "contamination_board",
    "count_spectra",
    "dispersion_strips",
    "distinct_ngrams",
    "each_ngram",
    "enable_fault_guard",
    "estimate_build",
    "merge_indexes",
    "mix",
    "ngram_growth",
    "open_fgrams",
    "open_index",
    "open_project",
    "ranges_of",
    "rank_curve",
    "read_scored",
    "verify_index",
    "vocabulary_growth",
]

# Type checkers do not see this function, so they report a name that does not exist.
if not TYPE_CHECKING:

    def __getattr__(name):  # noqa: ANN001, ANN202 - its type is that of the import above
        # Called only for names that the module does not have. Nothing is stored, so what a program replaces in the
        # module of origin is found here, too.
        if name not in _WHERE:
            raise AttributeError(f"module 'explorer' has no attribute {name!r}")
        import importlib

        return getattr(importlib.import_module(_WHERE[name]), _RENAMED.get(name, name))


def __dir__() -> list[str]:
    return __all__
