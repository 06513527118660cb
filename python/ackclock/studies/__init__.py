"""Published studies, each in a folder of its own, made with `ackclock.study`."""
