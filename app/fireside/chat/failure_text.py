"""Name a setting in an error by the label of the settings page."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.errors import ErrorInfo, InvalidParameter, localized
from fireside.settings.definitions import BY_KEY

_GROUPS: Final = ("sampling.", "load.", "answer.")


def with_setting_label(error: ErrorInfo) -> ErrorInfo:
    """Return ``error`` with a parameter called by its label on the settings page instead of its key."""
    if error.code != InvalidParameter.code:
        return error
    keys = (f"{group}{error.data.get('name')}" for group in _GROUPS)
    definition = next((BY_KEY[key] for key in keys if key in BY_KEY), None)
    if definition is None:
        return error
    return localized(msgspec.structs.replace(error, data={**error.data, "name": definition.label}))
