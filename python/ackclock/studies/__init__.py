"""Published studies, each in a folder of its own: `registry` finds them, `study` says what one is."""
