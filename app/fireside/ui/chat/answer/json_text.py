"""Recognise answers that are nothing but JSON, as models write them under a JSON schema. Pure: no Qt."""

from __future__ import annotations

import re
from typing import Final

from fireside.core.decoding import JsonInvalid, decode_json

JSON_FENCE: Final = "```json\n"
"""Prefix that makes such an answer a code block."""
_LONGEST: Final = 400_000
"""Characters; a longer text is not parsed."""
_BEGINNING: Final = re.compile(r'\s*(?:\{\s*(?:["}]|\Z)|\[\s*(?:[\[{"\]]|\Z))')


def reads_as_json(text: str, *, is_whole: bool) -> bool:
    """Return whether ``text`` is a JSON object or array; while it streams, whether it begins like one."""
    if len(text) > _LONGEST or not text.lstrip().startswith(("{", "[")):
        return False
    if not is_whole:
        return _BEGINNING.match(text) is not None
    try:
        value = decode_json(text, kind=object)
    except JsonInvalid:
        return False
    return isinstance(value, dict | list)
