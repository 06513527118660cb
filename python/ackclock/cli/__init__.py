"""The command line ``ackclock``: its verbs call the package's functions, and its entry point is `ackclock.cli.main`."""
