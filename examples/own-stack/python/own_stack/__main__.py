"""The command line of ackclock with transport stacks of one's own: ``own-stack list stacks``."""

import sys

from ackclock.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
