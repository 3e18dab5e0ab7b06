"""The running program: start, main window, log, end."""
