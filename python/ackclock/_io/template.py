"""Pages from templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any


def render(package: str, name: str, values: Mapping[str, Any], **filters: Callable[..., object]) -> str:
    """Fill in the template `name` of a package; `filters` are its own words.

    Nothing is escaped by itself: a template says ``| escape`` (of HTML) where it is due.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    folder = Environment(
        loader=PackageLoader(package),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    folder.filters.update(filters, escape=escape)
    return folder.get_template(name).render(values)
