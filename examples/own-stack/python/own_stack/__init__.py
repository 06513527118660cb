"""ackclock with transport stacks of one's own as variants; import this package before `ackclock`."""

import ackclock

ackclock.use_core("own_stack._core")
