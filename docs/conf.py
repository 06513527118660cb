"""Settings of the documentation site: `make docs` builds it, offline, with warnings as errors."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

from pygments.lexers import RustLexer
from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parents[1]))
from docs import laboratory

project = "ackclock"
copyright = "the ackclock authors"  # noqa: A001 (Sphinx's name)
try:
    release = metadata.version("ackclock")
except metadata.PackageNotFoundError:
    release = "unreleased"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = [
    "_build",
    "jupyter_execute",  # myst_nb leaves copies of the notebooks there
    "gallery",
    "_gallery/*.ipynb",
    "sg_execution_times.rst",
    "**/sg_execution_times.rst",
]
source_suffix = {".rst": "restructuredtext", ".md": "myst-nb", ".ipynb": "myst-nb"}
templates_path: list[str] = []

# Markdown: headings get the anchors that the pages' links use; links into the repository are checked like other links.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
nb_execution_mode = "off"  # tests/docs/test_labs.py executes the labs, with the solutions

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_default_options = {"members": True, "undoc-members": False}
napoleon_google_docstring = True
napoleon_use_ivar = True  # attributes that a docstring lists are described once
suppress_warnings = [
    "config.cache",  # Sphinx cannot cache the gallery's order
    "ref.python",  # `Interval` and `Comparison` exist in two packages each; an annotation links to one of them
]

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "_gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "abort_on_example_error": True,
    "capture_repr": (),  # show figures only, not the repr of the last object
    "plot_gallery": "True",
    "image_scrapers": ("matplotlib", laboratory.scraper),
}

html_theme = "furo"
html_title = "ackclock"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False


def setup(app: Sphinx) -> None:
    """Register the lexer of blocks marked `rust,no_run`, which rustdoc does not run, and the laboratory's page."""
    app.add_lexer("rust,no_run", RustLexer)
    laboratory.record()
    app.connect("build-finished", laboratory.place)
