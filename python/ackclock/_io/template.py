"""Renders templates with automatic escaping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def render(package: str, name: str, values: Mapping[str, Any], **filters: Callable[..., object]) -> str:
    """Return template `name` of a package, filled in with `values`; `filters` are additional Jinja filters.

    In an HTML template, ``NAME.html.j2``, all values except `markupsafe.Markup` are escaped.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    folder = Environment(
        loader=PackageLoader(package),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=lambda template: template is not None and template.endswith(".html.j2"),
    )
    folder.filters.update(filters)
    return folder.get_template(name).render(values)
