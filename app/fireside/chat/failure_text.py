"""Word a failure for the user."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.errors import ErrorInfo, InvalidParameter, reworded
from fireside.settings.definitions import BY_KEY

_GROUPS: Final = ("sampling.", "load.", "answer.")


def localized(error: ErrorInfo) -> ErrorInfo:
    """Return ``error`` with a parameter called as on the settings page, not as in the code."""
    if error.code != InvalidParameter.code:
        return error
    keys = (f"{group}{error.data.get('name')}" for group in _GROUPS)
    definition = next((BY_KEY[key] for key in keys if key in BY_KEY), None)
    if definition is None:
        return error
    return reworded(msgspec.structs.replace(error, data={**error.data, "name": definition.label}))
