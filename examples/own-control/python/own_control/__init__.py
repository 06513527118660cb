"""ackclock with one more variant, `gentle`, written in Rust; import this package before `ackclock`."""

import ackclock

ackclock.use_core("own_control._core")
