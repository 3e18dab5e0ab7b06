"""What a program of Windows runs first: without a console, it gets streams that read and write nothing.

Python has None there. The server, which the window can start, asks its streams whether they are terminals, and a report
of an error is written to them.
"""

import os
import sys

for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
    if getattr(sys, name) is None:
        setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - until the program ends
