"""Input and output for other packages: files, tables, templates, declared options and progress bars."""
