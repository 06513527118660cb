"""``python -m ackclock.cli``: the same as ``ackclock``."""

import sys

from ackclock.cli.main import main

sys.exit(main())
