"""Background work without Qt: lanes, progress and cancellation."""

from explorer.jobs.cancel import CancelToken
from explorer.jobs.lane import Lane
from explorer.jobs.progress import Progress, Report, no_report

__all__ = ["CancelToken", "Lane", "Progress", "Report", "no_report"]
