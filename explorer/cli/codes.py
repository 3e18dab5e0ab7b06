"""Exit codes, the same for every command; as those of grep and diff."""

from __future__ import annotations

FINE = 0
FOUND = 1
TROUBLE = 2
INTERRUPTED = 130

TABLE = """\
exit codes:
  0    the answer is there; with --fail-over: nothing was found; verify: the index is sound
  1    --fail-over found a longer match; verify found damage
  2    wrong input, or an error: one line on standard error says which
  130  interrupted with Ctrl-C"""
