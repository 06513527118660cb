"""The command line of ackclock with one more variant, `gentle`: ``own-control compare gentle cubic``."""

import sys

from ackclock.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
