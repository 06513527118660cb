"""The command line ``ackclock``, whose verbs call the package's functions; its entry point is `ackclock.cli.main`."""
