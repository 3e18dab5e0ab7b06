"""Collocates, as the registry finds them."""

from explorer.analyses.analysis import Analysis
from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.analyses.collocates.table import CollocateFacts, CollocateRecord

ANALYSIS = Analysis(CollocatesQuestion, CollocateRecord, CollocateFacts)
