"""Background work without Qt: lanes on a pool of threads, progress and cancellation."""

from explorer.jobs.cancel import CancelToken
from explorer.jobs.lane import Lane
from explorer.jobs.pool import Kind, Pool
from explorer.jobs.progress import Progress, Report, no_report

__all__ = ["CancelToken", "Kind", "Lane", "Pool", "Progress", "Report", "no_report"]
