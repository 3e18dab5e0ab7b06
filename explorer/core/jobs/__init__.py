"""Background work without Qt: lanes on a pool of threads, progress and cancellation."""

from explorer.core.jobs.cancel import CancelToken
from explorer.core.jobs.lane import Lane
from explorer.core.jobs.pool import Kind, Pool
from explorer.core.jobs.progress import Progress, Report, no_report

__all__ = ["CancelToken", "Kind", "Lane", "Pool", "Progress", "Report", "no_report"]
