"""The texts of the model on offer. Pure: no Qt."""

from __future__ import annotations

from typing import Final

from fireside.core.discovery import CatalogueModel, SuggestedModel
from fireside.core.errors import format_bytes
from fireside.core.fit import speed_text
from fireside.core.i18n import tr
from fireside.ui.discover.discover_text import licence_text
from fireside.ui.duration_text import format_remaining
from fireside.ui.model_text import SEPARATOR

_MEGABITS: Final = 100
"""A second, of a usual connection: how fast this one is, is not known before the first download."""
_BYTES_PER_S: Final = _MEGABITS * 1_000_000 / 8


def headline(suggested: SuggestedModel) -> str:
    """Return that this model suits the computer, or is the fastest one."""
    text = (
        tr("{name} suits this computer")
        if suggested.is_comfortable
        else tr("{name} is the fastest good model for this computer")
    )
    return text.format(name=suggested.model.name)


def button_text(model: CatalogueModel) -> str:
    """Return the label of the main button, which names the model and its size."""
    return tr("Download {name} ({size})").format(name=model.name, size=format_bytes(model.size_bytes))


def facts(suggested: SuggestedModel) -> str:
    """Return how long the download takes, how fast the model answers here, and its licence.

    How large a file for images is, the catalogue does not know; its download is shown with the model's.
    """
    model, speed = suggested.model, suggested.estimate.speed
    duration = tr("{time} at {speed} Mbit/s").format(
        time=format_remaining(model.size_bytes / _BYTES_PER_S), speed=_MEGABITS
    )
    more = tr("plus a file for images") if model.sees_images else ""
    parts = (duration, more, "" if speed is None else speed_text(speed), licence_text(model.licence))
    line = SEPARATOR.join(part for part in parts if part)
    return line[:1].upper() + line[1:]
