"""Exit codes, the same for every command and as in grep and diff."""

from __future__ import annotations

# argparse and a shell's own errors are 2 as well; 130 is 128 + SIGINT, which shells report for a process that Ctrl-C
# ended.
FINE = 0
FOUND = 1
TROUBLE = 2
INTERRUPTED = 130

MEANINGS = (
    (
        FINE,
        "success; with --fail-over: no match is too long; with --fail-if-found: no pattern occurs; verify: the index "
        "is sound; workers: no folder is missing",
    ),
    (FOUND, "--fail-over found a longer match, --fail-if-found a pattern, verify damage, or workers a missing folder"),
    (TROUBLE, "wrong input or an error; one line on standard error gives the reason"),
    (INTERRUPTED, "interrupted with Ctrl-C"),
)
