"""What people keep: project files with indexes, queries, saved sets of lines, views and notes."""

# These are what other rooms and users import; where their parts are may change.
from explorer.project.storage import ProjectError, open_project, save_project
from explorer.project.values import Index, KeptLine, KeptLines, LineSet, Project, Query, SavedQuery

__all__ = [
    "Index",
    "KeptLine",
    "KeptLines",
    "LineSet",
    "Project",
    "ProjectError",
    "Query",
    "SavedQuery",
    "open_project",
    "save_project",
]
