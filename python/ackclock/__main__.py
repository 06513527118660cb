"""``python -m ackclock`` runs the command line, as ``ackclock`` does."""

import sys

from ackclock.cli.main import main

sys.exit(main())
