"""Tell answers that are JSON and nothing else, as a rule makes a model write them. Pure: no Qt."""

from __future__ import annotations

import re
from typing import Final

import msgspec

JSON_FENCE: Final = "```json\n"
"""Put before such an answer, it is shown as code."""
_LONGEST: Final = 400_000
"""Characters; a longer text is not looked through."""
_BEGINNING: Final = re.compile(r'\s*(?:\{\s*(?:["}]|\Z)|\[\s*(?:[\[{"\]]|\Z))')


def reads_as_json(text: str, *, is_whole: bool) -> bool:
    """Return whether ``text`` is a JSON object or list; while it is being written, whether it begins so."""
    if len(text) > _LONGEST or not text.lstrip().startswith(("{", "[")):
        return False
    if not is_whole:
        return _BEGINNING.match(text) is not None
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return False
    return isinstance(value, dict | list)
