"""``python -m ackclock``: the same as ``ackclock``."""

import sys

from ackclock.cli.main import main

sys.exit(main())
