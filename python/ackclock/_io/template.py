"""Pages from templates, which escape by themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def render(package: str, name: str, values: Mapping[str, Any], **filters: Callable[..., object]) -> str:
    """Fill in the template `name` of a package; `filters` are its own words.

    In a template of HTML, ``NAME.html.j2``, every value is escaped that is not a `markupsafe.Markup`.
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
