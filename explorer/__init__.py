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
    from explorer.analyses.agreement.table import BinRecord as BinRecord
    from explorer.analyses.agreement.table import SourceRecord as SourceRecord
    from explorer.analyses.clusters.table import ClusterRecord as ClusterRecord
    from explorer.analyses.collocates.table import CollocateRecord as CollocateRecord
    from explorer.analyses.contamination.table import BenchmarkRecord as BenchmarkRecord
    from explorer.analyses.contamination.table import BoardRecord as BoardRecord
    from explorer.analyses.contamination.table import ContaminationRecord as ContaminationRecord
    from explorer.analyses.contamination.table import GainRecord as GainRecord
    from explorer.analyses.contamination.table import OwnRecord as OwnRecord
    from explorer.analyses.decontamination.table import DecontaminationGroup as DecontaminationGroup
    from explorer.analyses.decontamination.table import DecontaminationRecord as DecontaminationRecord
    from explorer.analyses.dispersion.table import DispersionRecord as DispersionRecord
    from explorer.analyses.dispersion.table import StripRecord as StripRecord
    from explorer.analyses.diversity.table import DiversityRecord as DiversityRecord
    from explorer.analyses.drafts.compute import DraftFigures as DraftFigures
    from explorer.analyses.drafts.table import DraftFacts as DraftFacts
    from explorer.analyses.drafts.table import DraftRecord as DraftRecord
    from explorer.analyses.duplicate_documents.table import CopiedDocumentRecord as CopiedDocumentRecord
    from explorer.analyses.duplicates.table import DuplicateRecord as DuplicateRecord
    from explorer.analyses.hints.table import HintFacts as HintFacts
    from explorer.analyses.hints.table import HintRecord as HintRecord
    from explorer.analyses.keywords.table import KeywordRecord as KeywordRecord
    from explorer.analyses.personal_data.table import PersonalFacts as PersonalFacts
    from explorer.analyses.personal_data.table import PersonalGroupRecord as PersonalGroupRecord
    from explorer.analyses.personal_data.table import PersonalKindRecord as PersonalKindRecord
    from explorer.analyses.personal_data.table import PersonalRecord as PersonalRecord
    from explorer.analyses.repeats.table import RepeatRecord as RepeatRecord
    from explorer.analyses.repeats.table import RunRecord as RunRecord
    from explorer.analyses.wordlist.table import NgramFacts as NgramFacts
    from explorer.analyses.wordlist.table import NgramRecord as NgramRecord
    from explorer.api import Corpus as Corpus
    from explorer.api import open_index as open_index
    from explorer.api.contamination import contamination_board as contamination_board
    from explorer.api.curves import rank_curve as rank_curve
    from explorer.api.curves import vocabulary_growth as vocabulary_growth
    from explorer.api.documents import Documents as Documents
    from explorer.api.documents import Metadata as Metadata
    from explorer.api.fgram_tables import StoredFgrams as StoredFgrams
    from explorer.api.fgram_tables import open_fgrams as open_fgrams
    from explorer.api.merging import merge_indexes as merge_indexes
    from explorer.api.mixed_model import BesideNeural as BesideNeural
    from explorer.api.mixed_model import MixedModel as MixedModel
    from explorer.api.mixing import Scored as Scored
    from explorer.api.mixing import mix as mix
    from explorer.api.models import LanguageModel as LanguageModel
    from explorer.api.ngrams import each_ngram as each_ngram
    from explorer.api.results import Agreement as Agreement
    from explorer.api.results import Concordance as Concordance
    from explorer.api.results import LineRows as LineRows
    from explorer.api.results import Located as Located
    from explorer.api.results import NextTokens as NextTokens
    from explorer.api.results import Trace as Trace
    from explorer.api.results import Traces as Traces
    from explorer.api.results.analysis import AnalysisTable as AnalysisTable
    from explorer.api.results.clusters import ClusterTable as ClusterTable
    from explorer.api.results.collocates import CollocateTable as CollocateTable
    from explorer.api.results.comparison import AgreementResult as AgreementResult
    from explorer.api.results.contamination import ContaminationTable as ContaminationTable
    from explorer.api.results.contamination_board import ContaminationBoard as ContaminationBoard
    from explorer.api.results.decontamination import Decontamination as Decontamination
    from explorer.api.results.dispersion import DispersionTable as DispersionTable
    from explorer.api.results.diversity import DiversityTable as DiversityTable
    from explorer.api.results.drafts import DraftBench as DraftBench
    from explorer.api.results.duplicate_documents import DuplicateDocuments as DuplicateDocuments
    from explorer.api.results.duplicates import DuplicateTable as DuplicateTable
    from explorer.api.results.fgrams import Fgrams as Fgrams
    from explorer.api.results.hints import Hints as Hints
    from explorer.api.results.keywords import Keywords as Keywords
    from explorer.api.results.mixed import MixedShares as MixedShares
    from explorer.api.results.mixed import MixedText as MixedText
    from explorer.api.results.mixed import TokenDistribution as TokenDistribution
    from explorer.api.results.mixing import Mix as Mix
    from explorer.api.results.mixing import MixSizes as MixSizes
    from explorer.api.results.model import Generated as Generated
    from explorer.api.results.model import NextShares as NextShares
    from explorer.api.results.model import Perplexity as Perplexity
    from explorer.api.results.model import TextScore as TextScore
    from explorer.api.results.ngrams import Ngrams as Ngrams
    from explorer.api.results.personal import PersonalTable as PersonalTable
    from explorer.api.results.probes import Probes as Probes
    from explorer.api.results.repeats import RepeatTable as RepeatTable
    from explorer.api.results.strips import DispersionStrips as DispersionStrips
    from explorer.api.spectra import count_spectra as count_spectra
    from explorer.api.spectra import distinct_ngrams as distinct_ngrams
    from explorer.api.spectra import ngram_growth as ngram_growth
    from explorer.api.strips import dispersion_strips as dispersion_strips
    from explorer.api.tabular import Tabular as Tabular
    from explorer.api.tracing import OnBad as OnBad
    from explorer.api.types import FilePath as FilePath
    from explorer.api.types import Ids as Ids
    from explorer.api.types import Match as Match
    from explorer.api.types import Query as Query
    from explorer.api.types import ReadMode as ReadMode
    from explorer.api.types import Relevance as Relevance
    from explorer.api.types import Variant as Variant
    from explorer.api.types import WordBoundaries as WordBoundaries
    from explorer.api.where import Where as Where
    from explorer.backends.list_values import NgramGrowth as NgramGrowth
    from explorer.backends.list_values import NgramList as NgramList
    from explorer.backends.places import HitPlace as HitPlace
    from explorer.backends.places import Located as _Places
    from explorer.backends.protocol import Matches as Matches
    from explorer.backends.protocol import TextMatches as TextMatches
    from explorer.backends.ranges import Ranges as Ranges
    from explorer.backends.ranges import ranges_of as ranges_of
    from explorer.backends.request import TokenizerObject as TokenizerObject
    from explorer.backends.values import Level as Level
    from explorer.building.adding import add_documents as add_documents
    from explorer.building.estimate import BuildEstimate as BuildEstimate
    from explorer.building.estimate import FormatEstimate as FormatEstimate
    from explorer.building.estimate import SampleText as SampleText
    from explorer.building.estimate import estimate_build as estimate_build
    from explorer.building.given import ArrowStream as ArrowStream
    from explorer.building.given import Sources as Sources
    from explorer.building.run import build_index as build_index
    from explorer.building.source import KindCount as KindCount
    from explorer.building.source import Problem as Problem
    from explorer.checking.verify import Finding as Finding
    from explorer.checking.verify import VerifyReport as VerifyReport
    from explorer.checking.verify import verify_index as verify_index
    from explorer.curation.benchmarks import BenchmarkColumns as BenchmarkColumns
    from explorer.curation.item_matches import Thresholds as Thresholds
    from explorer.curation.rules import RuleCounts as RuleCounts
    from explorer.documents.document import Document as Document
    from explorer.errors import BuildError as BuildError
    from explorer.errors import Cancelled as Cancelled
    from explorer.errors import CapabilityError as CapabilityError
    from explorer.errors import CorpusError as CorpusError
    from explorer.errors import DamagedIndexError as DamagedIndexError
    from explorer.errors import IndexNotFoundError as IndexNotFoundError
    from explorer.errors import NotAnIndexError as NotAnIndexError
    from explorer.errors import QueryError as QueryError
    from explorer.errors import SourceError as SourceError
    from explorer.errors import TokenizerError as TokenizerError
    from explorer.errors import UnavailableError as UnavailableError
    from explorer.export.cut_texts import CutDocument as CutDocument
    from explorer.export.cuts import CutCounts as CutCounts
    from explorer.export.cuts import CutExport as CutExport
    from explorer.export.destination import ExportError as ExportError
    from explorer.export.fgram_embeddings import EmbeddingFacts as EmbeddingFacts
    from explorer.export.records.mix import CopiedTextRecord as CopiedTextRecord
    from explorer.export.records.mix import CurveRecord as CurveRecord
    from explorer.export.records.mix import MixFacts as MixFacts
    from explorer.export.records.mix import MixInstanceRecord as MixInstanceRecord
    from explorer.export.records.mix import MixPartRecord as MixPartRecord
    from explorer.export.records.mix import MixRecord as MixRecord
    from explorer.export.records.mix import MixSizeRecord as MixSizeRecord
    from explorer.export.records.mix import MixTotalRecord as MixTotalRecord
    from explorer.export.records.model import GeneratedRecord as GeneratedRecord
    from explorer.export.records.model import PerplexityRecord as PerplexityRecord
    from explorer.export.records.model import TransformRecord as TransformRecord
    from explorer.export.records.model import WrittenRecord as WrittenRecord
    from explorer.export.records.probe import ProbeFacts as ProbeFacts
    from explorer.export.records.probe import ProbeRecord as ProbeRecord
    from explorer.export.records.trace import TraceRecord as TraceRecord
    from explorer.files.mapped import enable_fault_guard as enable_fault_guard
    from explorer.index.manifest import Manifest as Manifest
    from explorer.jobs import CancelToken as CancelToken
    from explorer.jobs import Progress as Progress
    from explorer.jobs import Report as Report
    from explorer.measures.longest_passage import LongestPassage as LongestPassage
    from explorer.measures.novelty import Novelty as Novelty
    from explorer.measures.registry import Measured as Measured
    from explorer.model.generation import LevelFigures as LevelFigures
    from explorer.model.generation import Used as Used
    from explorer.model.generation import Written as Written
    from explorer.model.instance import InstanceMixture as InstanceMixture
    from explorer.model.making import MethodName as MethodName
    from explorer.model.mixed_writing import MixedToken as MixedToken
    from explorer.model.mixing import CurvePoint as CurvePoint
    from explorer.model.mixing import MixPart as MixPart
    from explorer.model.mixing import MixTotal as MixTotal
    from explorer.model.mixing import Mixture as Mixture
    from explorer.model.mixing import MixUnits as MixUnits
    from explorer.model.mixing import Weights as Weights
    from explorer.model.mixing_tokens import by_confidence as by_confidence
    from explorer.model.scoring import Total as Total
    from explorer.neural.address import ServerError as ServerError
    from explorer.neural.asking import ask_model as ask_model
    from explorer.neural.records import LogBase as LogBase
    from explorer.neural.records import ScoredText as ScoredText
    from explorer.neural.records import ScoredToken as ScoredToken
    from explorer.neural.records import read_scored as read_scored
    from explorer.overlap.alignment import Difference as Difference
    from explorer.overlap.alignment import SameWords as SameWords
    from explorer.overlap.alignment import TextComparison as TextComparison
    from explorer.overlap.alignment import compare_texts as compare_texts
    from explorer.overlap.self_match import SelfMatch as SelfMatch
    from explorer.overlap.verbatim import Passage as Passage
    from explorer.project import Project as Project
    from explorer.project import ProjectError as ProjectError
    from explorer.project import open_project as open_project
    from explorer.reading import ReadingText as ReadingText
    from explorer.reading import StyledRun as StyledRun
    from explorer.search.arrange import LineSettings as LineSettings
    from explorer.search.arrange import NearFilter as NearFilter
    from explorer.search.arrange import SortLevel as SortLevel
    from explorer.search.cnf import CnfMatches as CnfMatches
    from explorer.search.cnf import CnfOptions as CnfOptions
    from explorer.search.concordance import ConcordanceLine as ConcordanceLine
    from explorer.search.counts import Probability as Probability
    from explorer.search.find import Clause as Clause
    from explorer.search.find import QueryOptions as QueryOptions
    from explorer.search.find import QueryResult as QueryResult
    from explorer.search.language import ParsedQuery as ParsedQuery
    from explorer.search.language import QuerySyntaxError as QuerySyntaxError
    from explorer.search.query import PhraseResult as PhraseResult
    from explorer.search.values import FieldFilter as FieldFilter
    from explorer.statistics.curves import PowerLaw as PowerLaw
    from explorer.statistics.curves import RankCurve as RankCurve
    from explorer.statistics.curves import VocabularyGrowth as VocabularyGrowth
    from explorer.statistics.fgrams import FgramCoverage as FgramCoverage
    from explorer.statistics.fgrams import FgramMatches as FgramMatches
    from explorer.statistics.fgrams import FgramSize as FgramSize
    from explorer.statistics.spectra import CountSpectrum as CountSpectrum
    from explorer.statistics.spectra import DistinctNgrams as DistinctNgrams
    from explorer.statistics.strips import Strip as Strip
    from explorer.texts.on_bad import BadText as BadText
    from explorer.tokens.decode import DecodedText as DecodedText
    from explorer.trace.documents import TraceDocument as TraceDocument
    from explorer.trace.occurrences import Snippet as Snippet
    from explorer.trace.settings import TraceSettings as TraceSettings
    from explorer.trace.spans import TokenSpan as TokenSpan
    from explorer.trace.trace import MergedSpan as MergedSpan
    from explorer.trace.trace import Span as Span
    from explorer.trace.trace import TraceTimes as TraceTimes

    LinePlaces = _Places
    __version__: str

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
    "explorer.analyses.drafts.table": ("DraftFacts", "DraftRecord"),
    "explorer.analyses.hints.table": ("HintFacts", "HintRecord"),
    "explorer.analyses.keywords.table": ("KeywordRecord",),
    "explorer.analyses.diversity.table": ("DiversityRecord",),
    "explorer.analyses.duplicate_documents.table": ("CopiedDocumentRecord",),
    "explorer.analyses.dispersion.table": ("DispersionRecord", "StripRecord"),
    "explorer.analyses.clusters.table": ("ClusterRecord",),
    "explorer.analyses.collocates.table": ("CollocateRecord",),
    "explorer.analyses.wordlist.table": ("NgramFacts", "NgramRecord"),
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
    "explorer.analyses.drafts.compute": ("DraftFigures",),
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
    "explorer.trace.documents": ("TraceDocument",),
    "explorer.trace.occurrences": ("Snippet",),
    "explorer.trace.settings": ("TraceSettings",),
    "explorer.trace.spans": ("TokenSpan",),
    "explorer.trace.trace": ("MergedSpan", "Span", "TraceTimes"),
    "explorer.version": ("__version__",),
}
"""The names of the library, by the module where each is; a test compares them with the imports above."""
_WHERE = {name: module for module, names in _NAMES.items() for name in names}
_RENAMED = {"__version__": "VERSION", "LinePlaces": "Located"}

# Type checkers do not see this function, so they report a name that does not exist.
if not TYPE_CHECKING:
    __all__ = sorted(_WHERE)

    def __getattr__(name):  # noqa: ANN001, ANN202 - its type is that of the import above
        # Called only for names that the module does not have. Nothing is stored, so what a program replaces in the
        # module of origin is found here, too.
        if name not in _WHERE:
            raise AttributeError(f"module 'explorer' has no attribute {name!r}")
        import importlib

        return getattr(importlib.import_module(_WHERE[name]), _RENAMED.get(name, name))


def __dir__() -> list[str]:
    return sorted(_WHERE)
