"""`python -m explorer` is the `corpus-explorer` command."""

from explorer.cli.main import run

if __name__ == "__main__":
    run()
