"""ackclock with one more variant: `gentle`, written in Rust. Import this before anything of ackclock."""

import ackclock

ackclock.use_core("own_control._core")
