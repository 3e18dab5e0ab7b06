"""Clusters, as the registry finds them."""

from explorer.analyses.analysis import Analysis
from explorer.analyses.clusters.question import ClustersQuestion
from explorer.analyses.clusters.table import ClusterFacts, ClusterRecord

ANALYSIS = Analysis(ClustersQuestion, ClusterRecord, ClusterFacts)
