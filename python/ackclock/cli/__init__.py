"""The command line, ``ackclock``: thin verbs over the package. `ackclock.cli.main` is its entry."""
