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
    from explorer.analyses.contamination.benchmarks import BenchmarkColumns as BenchmarkColumns
    from explorer.analyses.contamination.item_matches import Thresholds as Thresholds
    from explorer.analyses.contamination.rules import RuleCounts as RuleCounts
    from explorer.analyses.contamination.table import BenchmarkRecord as BenchmarkRecord
    from explorer.analyses.contamination.table import BoardRecord as BoardRecord
    from explorer.analyses.contamination.table import ContaminationRecord as ContaminationRecord
    from explorer.analyses.contamination.table import GainRecord as GainRecord
    from explorer.analyses.contamination.table import OwnRecord as OwnRecord
    from explorer.analyses.decontamination.table import DecontaminationGroup as DecontaminationGroup
    from explorer.analyses.decontamination.table import DecontaminationRecord as DecontaminationRecord
    from explorer.analyses.dispersion.strips import Strip as Strip
    from explorer.analyses.dispersion.table import DispersionRecord as DispersionRecord
    from explorer.analyses.dispersion.table import StripRecord as StripRecord
    from explorer.analyses.diversity.table import DiversityRecord as DiversityRecord
    from explorer.analyses.drafts.compute import DraftFigures as DraftFigures
    from explorer.analyses.drafts.table import DraftFacts as DraftFacts
    from explorer.analyses.drafts.table import DraftRecord as DraftRecord
    from explorer.analyses.duplicate_documents.table import CopiedDocumentRecord as CopiedDocumentRecord
    from explorer.analyses.duplicates.table import DuplicateRecord as DuplicateRecord
    from explorer.analyses.fgrams.compute import FgramCoverage as FgramCoverage
    from explorer.analyses.fgrams.compute import FgramMatches as FgramMatches
    from explorer.analyses.fgrams.compute import FgramSize as FgramSize
    from explorer.analyses.hints.table import HintFacts as HintFacts
    from explorer.analyses.hints.table import HintRecord as HintRecord
    from explorer.analyses.keywords.table import KeywordRecord as KeywordRecord
    from explorer.analyses.metadata.values import FieldFilter as FieldFilter
    from explorer.analyses.mix.mixed_writing import MixedToken as MixedToken
    from explorer.analyses.mix.mixing import CurvePoint as CurvePoint
    from explorer.analyses.mix.mixing import MixPart as MixPart
    from explorer.analyses.mix.mixing import MixTotal as MixTotal
    from explorer.analyses.mix.mixing import Mixture as Mixture
    from explorer.analyses.mix.mixing import MixUnits as MixUnits
    from explorer.analyses.mix.mixing import Weights as Weights
    from explorer.analyses.mix.mixing_tokens import by_confidence as by_confidence
    from explorer.analyses.model.generation import LevelFigures as LevelFigures
    from explorer.analyses.model.generation import Used as Used
    from explorer.analyses.model.generation import Written as Written
    from explorer.analyses.model.instance import InstanceMixture as InstanceMixture
    from explorer.analyses.model.making import MethodName as MethodName
    from explorer.analyses.model.scoring import Total as Total
    from explorer.analyses.next_tokens.counts import Probability as Probability
    from explorer.analyses.overlap.alignment import Difference as Difference
    from explorer.analyses.overlap.alignment import SameWords as SameWords
    from explorer.analyses.overlap.alignment import TextComparison as TextComparison
    from explorer.analyses.overlap.alignment import compare_texts as compare_texts
    from explorer.analyses.overlap.self_match import SelfMatch as SelfMatch
    from explorer.analyses.overlap.verbatim import Passage as Passage
    from explorer.analyses.personal_data.table import PersonalFacts as PersonalFacts
    from explorer.analyses.personal_data.table import PersonalGroupRecord as PersonalGroupRecord
    from explorer.analyses.personal_data.table import PersonalKindRecord as PersonalKindRecord
    from explorer.analyses.personal_data.table import PersonalRecord as PersonalRecord
    from explorer.analyses.repeats.table import RepeatRecord as RepeatRecord
    from explorer.analyses.repeats.table import RunRecord as RunRecord
    from explorer.analyses.search.arrange import LineSettings as LineSettings
    from explorer.analyses.search.arrange import NearFilter as NearFilter
    from explorer.analyses.search.arrange import SortLevel as SortLevel
    from explorer.analyses.search.cnf import CnfMatches as CnfMatches
    from explorer.analyses.search.cnf import CnfOptions as CnfOptions
    from explorer.analyses.search.concordance import ConcordanceLine as ConcordanceLine
    from explorer.analyses.search.find import Clause as Clause
    from explorer.analyses.search.find import QueryOptions as QueryOptions
    from explorer.analyses.search.find import QueryResult as QueryResult
    from explorer.analyses.search.language import ParsedQuery as ParsedQuery
    from explorer.analyses.search.language import QuerySyntaxError as QuerySyntaxError
    from explorer.analyses.search.query import PhraseResult as PhraseResult
    from explorer.analyses.spectrum.curves import PowerLaw as PowerLaw
    from explorer.analyses.spectrum.curves import RankCurve as RankCurve
    from explorer.analyses.spectrum.curves import VocabularyGrowth as VocabularyGrowth
    from explorer.analyses.spectrum.spectra import CountSpectrum as CountSpectrum
    from explorer.analyses.spectrum.spectra import DistinctNgrams as DistinctNgrams
    from explorer.analyses.trace.documents import TraceDocument as TraceDocument
    from explorer.analyses.trace.measures.longest_passage import LongestPassage as LongestPassage
    from explorer.analyses.trace.measures.novelty import Novelty as Novelty
    from explorer.analyses.trace.measures.registry import Measured as Measured
    from explorer.analyses.trace.occurrences import Snippet as Snippet
    from explorer.analyses.trace.settings import TraceSettings as TraceSettings
    from explorer.analyses.trace.spans import TokenSpan as TokenSpan
    from explorer.analyses.trace.trace import MergedSpan as MergedSpan
    from explorer.analyses.trace.trace import Span as Span
    from explorer.analyses.trace.trace import TraceTimes as TraceTimes
    from explorer.analyses.wordlist.table import NgramFacts as NgramFacts
    from explorer.analyses.wordlist.table import NgramRecord as NgramRecord
    from explorer.backends.documents.document import Document as Document
    from explorer.backends.places import HitPlace as HitPlace
    from explorer.backends.places import Located as _Places
    from explorer.backends.protocol.list_values import NgramGrowth as NgramGrowth
    from explorer.backends.protocol.list_values import NgramList as NgramList
    from explorer.backends.protocol.protocol import Matches as Matches
    from explorer.backends.protocol.protocol import TextMatches as TextMatches
    from explorer.backends.protocol.values import Level as Level
    from explorer.backends.ranges import Ranges as Ranges
    from explorer.backends.ranges import ranges_of as ranges_of
    from explorer.backends.request import TokenizerObject as TokenizerObject
    from explorer.building.adding import add_documents as add_documents
    from explorer.building.estimate.estimate import BuildEstimate as BuildEstimate
    from explorer.building.estimate.estimate import FormatEstimate as FormatEstimate
    from explorer.building.estimate.estimate import SampleText as SampleText
    from explorer.building.estimate.estimate import estimate_build as estimate_build
    from explorer.building.run import build_index as build_index
    from explorer.building.sources.given import ArrowStream as ArrowStream
    from explorer.building.sources.given import Sources as Sources
    from explorer.building.sources.source import KindCount as KindCount
    from explorer.building.sources.source import Problem as Problem
    from explorer.building.verify.verify import Finding as Finding
    from explorer.building.verify.verify import VerifyReport as VerifyReport
    from explorer.building.verify.verify import verify_index as verify_index
    from explorer.core.files.mapped import enable_fault_guard as enable_fault_guard
    from explorer.core.jobs import CancelToken as CancelToken
    from explorer.core.jobs import Progress as Progress
    from explorer.core.jobs import Report as Report
    from explorer.corpus import Corpus as Corpus
    from explorer.corpus import open_index as open_index
    from explorer.corpus.curation.contamination import contamination_board as contamination_board
    from explorer.corpus.documents import Documents as Documents
    from explorer.corpus.documents import Metadata as Metadata
    from explorer.corpus.merging import merge_indexes as merge_indexes
    from explorer.corpus.model.fgram_tables import StoredFgrams as StoredFgrams
    from explorer.corpus.model.fgram_tables import open_fgrams as open_fgrams
    from explorer.corpus.model.mixed_model import BesideNeural as BesideNeural
    from explorer.corpus.model.mixed_model import MixedModel as MixedModel
    from explorer.corpus.model.mixing import Scored as Scored
    from explorer.corpus.model.mixing import mix as mix
    from explorer.corpus.model.models import LanguageModel as LanguageModel
    from explorer.corpus.results import Agreement as Agreement
    from explorer.corpus.results import Concordance as Concordance
    from explorer.corpus.results import LineRows as LineRows
    from explorer.corpus.results import Located as Located
    from explorer.corpus.results import NextTokens as NextTokens
    from explorer.corpus.results import Trace as Trace
    from explorer.corpus.results import Traces as Traces
    from explorer.corpus.results.analysis import AnalysisTable as AnalysisTable
    from explorer.corpus.results.curation.contamination import ContaminationTable as ContaminationTable
    from explorer.corpus.results.curation.contamination_board import ContaminationBoard as ContaminationBoard
    from explorer.corpus.results.curation.decontamination import Decontamination as Decontamination
    from explorer.corpus.results.curation.duplicate_documents import DuplicateDocuments as DuplicateDocuments
    from explorer.corpus.results.curation.duplicates import DuplicateTable as DuplicateTable
    from explorer.corpus.results.curation.personal import PersonalTable as PersonalTable
    from explorer.corpus.results.curation.repeats import RepeatTable as RepeatTable
    from explorer.corpus.results.model.drafts import DraftBench as DraftBench
    from explorer.corpus.results.model.fgrams import Fgrams as Fgrams
    from explorer.corpus.results.model.hints import Hints as Hints
    from explorer.corpus.results.model.mixed import MixedShares as MixedShares
    from explorer.corpus.results.model.mixed import MixedText as MixedText
    from explorer.corpus.results.model.mixed import TokenDistribution as TokenDistribution
    from explorer.corpus.results.model.mixing import Mix as Mix
    from explorer.corpus.results.model.mixing import MixSizes as MixSizes
    from explorer.corpus.results.model.model import Generated as Generated
    from explorer.corpus.results.model.model import NextShares as NextShares
    from explorer.corpus.results.model.model import Perplexity as Perplexity
    from explorer.corpus.results.model.model import TextScore as TextScore
    from explorer.corpus.results.model.probes import Probes as Probes
    from explorer.corpus.results.search.comparison import AgreementResult as AgreementResult
    from explorer.corpus.results.statistics.clusters import ClusterTable as ClusterTable
    from explorer.corpus.results.statistics.collocates import CollocateTable as CollocateTable
    from explorer.corpus.results.statistics.dispersion import DispersionTable as DispersionTable
    from explorer.corpus.results.statistics.diversity import DiversityTable as DiversityTable
    from explorer.corpus.results.statistics.keywords import Keywords as Keywords
    from explorer.corpus.results.statistics.ngrams import Ngrams as Ngrams
    from explorer.corpus.results.statistics.strips import DispersionStrips as DispersionStrips
    from explorer.corpus.search.tracing import OnBad as OnBad
    from explorer.corpus.search.where import Where as Where
    from explorer.corpus.statistics.curves import rank_curve as rank_curve
    from explorer.corpus.statistics.curves import vocabulary_growth as vocabulary_growth
    from explorer.corpus.statistics.ngrams import each_ngram as each_ngram
    from explorer.corpus.statistics.spectra import count_spectra as count_spectra
    from explorer.corpus.statistics.spectra import distinct_ngrams as distinct_ngrams
    from explorer.corpus.statistics.spectra import ngram_growth as ngram_growth
    from explorer.corpus.statistics.strips import dispersion_strips as dispersion_strips
    from explorer.corpus.tabular import Tabular as Tabular
    from explorer.corpus.types import FilePath as FilePath
    from explorer.corpus.types import Ids as Ids
    from explorer.corpus.types import Match as Match
    from explorer.corpus.types import Query as Query
    from explorer.corpus.types import ReadMode as ReadMode
    from explorer.corpus.types import Relevance as Relevance
    from explorer.corpus.types import Variant as Variant
    from explorer.corpus.types import WordBoundaries as WordBoundaries
    from explorer.documents.inputs.on_bad import BadText as BadText
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
    from explorer.export.cuts.cuts import CutCounts as CutCounts
    from explorer.export.cuts.cuts import CutExport as CutExport
    from explorer.export.cuts.texts import CutDocument as CutDocument
    from explorer.export.destination import ExportError as ExportError
    from explorer.export.fgrams.embeddings import EmbeddingFacts as EmbeddingFacts
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
    from explorer.index.manifest import Manifest as Manifest
    from explorer.neural.address import ServerError as ServerError
    from explorer.neural.asking import ask_model as ask_model
    from explorer.neural.records import LogBase as LogBase
    from explorer.neural.records import ScoredText as ScoredText
    from explorer.neural.records import ScoredToken as ScoredToken
    from explorer.neural.records import read_scored as read_scored
    from explorer.project import Project as Project
    from explorer.project import ProjectError as ProjectError
    from explorer.project import open_project as open_project
    from explorer.text.reading import ReadingText as ReadingText
    from explorer.text.reading import StyledRun as StyledRun
    from explorer.text.tokens.decode import DecodedText as DecodedText

    LinePlaces = _Places
    __version__: str

_NAMES = {
    "explorer.corpus": ("Corpus", "open_index"),
    "explorer.corpus.merging": ("merge_indexes",),
    "explorer.corpus.documents": ("Documents", "Metadata"),
    "explorer.corpus.results": (
        "Agreement",
        "AgreementResult",
        "Concordance",
        "LineRows",
        "Located",
        "NextTokens",
        "Trace",
        "Traces",
    ),
    "explorer.corpus.model.mixed_model": ("BesideNeural", "MixedModel"),
    "explorer.corpus.model.mixing": ("Scored", "mix"),
    "explorer.corpus.statistics.ngrams": ("each_ngram",),
    "explorer.corpus.statistics.curves": ("rank_curve", "vocabulary_growth"),
    "explorer.corpus.statistics.strips": ("dispersion_strips",),
    "explorer.corpus.results.statistics.strips": ("DispersionStrips",),
    "explorer.analyses.dispersion.strips": ("Strip",),
    "explorer.corpus.statistics.spectra": ("count_spectra", "distinct_ngrams", "ngram_growth"),
    "explorer.analyses.spectrum.curves": ("PowerLaw", "RankCurve", "VocabularyGrowth"),
    "explorer.analyses.spectrum.spectra": ("CountSpectrum", "DistinctNgrams"),
    "explorer.corpus.model.models": ("LanguageModel",),
    "explorer.corpus.results.model.drafts": ("DraftBench",),
    "explorer.corpus.results.analysis": ("AnalysisTable",),
    "explorer.corpus.results.statistics.clusters": ("ClusterTable",),
    "explorer.corpus.results.statistics.collocates": ("CollocateTable",),
    "explorer.corpus.results.statistics.keywords": ("Keywords",),
    "explorer.corpus.results.statistics.diversity": ("DiversityTable",),
    "explorer.corpus.results.curation.duplicate_documents": ("DuplicateDocuments",),
    "explorer.corpus.results.curation.duplicates": ("DuplicateTable",),
    "explorer.corpus.results.curation.repeats": ("RepeatTable",),
    "explorer.corpus.results.curation.personal": ("PersonalTable",),
    "explorer.analyses.personal_data.table": (
        "PersonalFacts",
        "PersonalGroupRecord",
        "PersonalKindRecord",
        "PersonalRecord",
    ),
    "explorer.corpus.curation.contamination": ("contamination_board",),
    "explorer.corpus.results.curation.contamination": ("ContaminationTable",),
    "explorer.corpus.results.curation.contamination_board": ("ContaminationBoard",),
    "explorer.analyses.contamination.benchmarks": ("BenchmarkColumns",),
    "explorer.analyses.contamination.item_matches": ("Thresholds",),
    "explorer.documents.inputs.on_bad": ("BadText",),
    "explorer.analyses.contamination.rules": ("RuleCounts",),
    "explorer.backends.ranges": ("Ranges", "ranges_of"),
    "explorer.corpus.results.curation.decontamination": ("Decontamination",),
    "explorer.analyses.decontamination.table": ("DecontaminationGroup", "DecontaminationRecord"),
    "explorer.export.cuts.texts": ("CutDocument",),
    "explorer.export.cuts.cuts": ("CutCounts", "CutExport"),
    "explorer.analyses.duplicates.table": ("DuplicateRecord",),
    "explorer.analyses.repeats.table": ("RepeatRecord", "RunRecord"),
    "explorer.analyses.contamination.table": (
        "BenchmarkRecord",
        "BoardRecord",
        "ContaminationRecord",
        "GainRecord",
        "OwnRecord",
    ),
    "explorer.corpus.results.statistics.dispersion": ("DispersionTable",),
    "explorer.corpus.model.fgram_tables": ("StoredFgrams", "open_fgrams"),
    "explorer.corpus.results.model.fgrams": ("Fgrams",),
    "explorer.corpus.results.model.hints": ("Hints",),
    "explorer.export.fgrams.embeddings": ("EmbeddingFacts",),
    "explorer.analyses.fgrams.compute": ("FgramCoverage", "FgramMatches", "FgramSize"),
    "explorer.corpus.results.model.mixing": ("Mix", "MixSizes"),
    "explorer.corpus.results.model.mixed": ("MixedShares", "MixedText", "TokenDistribution"),
    "explorer.corpus.results.statistics.ngrams": ("Ngrams",),
    "explorer.corpus.results.model.probes": ("Probes",),
    "explorer.corpus.results.model.model": (
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
    "explorer.backends.protocol.list_values": ("NgramGrowth", "NgramList"),
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
    "explorer.analyses.model.distribution": ("Level",),
    "explorer.analyses.drafts.compute": ("DraftFigures",),
    "explorer.analyses.model.generation": (
        "LevelFigures",
        "Used",
        "Written",
    ),
    "explorer.analyses.model.instance": ("InstanceMixture",),
    "explorer.analyses.model.making": ("MethodName",),
    "explorer.analyses.mix.mixed_writing": ("MixedToken",),
    "explorer.analyses.mix.mixing_tokens": ("by_confidence",),
    "explorer.analyses.mix.mixing": ("CurvePoint", "MixPart", "MixTotal", "MixUnits", "Mixture", "Weights"),
    "explorer.analyses.model.scoring": ("Total",),
    "explorer.neural.records": ("LogBase", "ScoredText", "ScoredToken", "read_scored"),
    "explorer.corpus.tabular": ("Tabular",),
    "explorer.corpus.search.tracing": ("OnBad",),
    "explorer.corpus.types": (
        "FilePath",
        "Ids",
        "Match",
        "Query",
        "ReadMode",
        "Relevance",
        "Variant",
        "WordBoundaries",
    ),
    "explorer.corpus.search.where": ("Where",),
    "explorer.backends.places": ("HitPlace", "LinePlaces"),
    "explorer.backends.protocol.protocol": ("Matches", "TextMatches"),
    "explorer.backends.request": ("TokenizerObject",),
    "explorer.building.adding": ("add_documents",),
    "explorer.building.estimate.estimate": ("BuildEstimate", "FormatEstimate", "SampleText", "estimate_build"),
    "explorer.building.sources.given": ("ArrowStream", "Sources"),
    "explorer.building.sources.source": ("KindCount", "Problem"),
    "explorer.building.run": ("build_index",),
    "explorer.building.verify.verify": ("Finding", "VerifyReport", "verify_index"),
    "explorer.backends.documents.document": ("Document",),
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
    "explorer.core.files.mapped": ("enable_fault_guard",),
    "explorer.index.manifest": ("Manifest",),
    "explorer.core.jobs": ("CancelToken", "Progress", "Report"),
    "explorer.analyses.trace.measures.longest_passage": ("LongestPassage",),
    "explorer.analyses.trace.measures.novelty": ("Novelty",),
    "explorer.analyses.trace.measures.registry": ("Measured",),
    "explorer.neural.address": ("ServerError",),
    "explorer.neural.asking": ("ask_model",),
    "explorer.analyses.overlap.alignment": ("Difference", "SameWords", "TextComparison", "compare_texts"),
    "explorer.analyses.overlap.self_match": ("SelfMatch",),
    "explorer.analyses.overlap.verbatim": ("Passage",),
    "explorer.project": ("Project", "ProjectError", "open_project"),
    "explorer.text.reading": ("ReadingText", "StyledRun"),
    "explorer.analyses.search.arrange": ("LineSettings", "NearFilter", "SortLevel"),
    "explorer.analyses.search.cnf": ("CnfMatches", "CnfOptions"),
    "explorer.analyses.search.concordance": ("ConcordanceLine",),
    "explorer.analyses.next_tokens.counts": ("Probability",),
    "explorer.analyses.search.find": ("Clause", "QueryOptions", "QueryResult"),
    "explorer.analyses.search.language": ("ParsedQuery", "QuerySyntaxError"),
    "explorer.analyses.search.query": ("PhraseResult",),
    "explorer.analyses.metadata.values": ("FieldFilter",),
    "explorer.text.tokens.decode": ("DecodedText",),
    "explorer.analyses.trace.documents": ("TraceDocument",),
    "explorer.analyses.trace.occurrences": ("Snippet",),
    "explorer.analyses.trace.settings": ("TraceSettings",),
    "explorer.analyses.trace.spans": ("TokenSpan",),
    "explorer.analyses.trace.trace": ("MergedSpan", "Span", "TraceTimes"),
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
