"""The command line of ackclock, in which `gentle` is one more variant: ``own-control compare gentle cubic``."""

import sys

from ackclock.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
