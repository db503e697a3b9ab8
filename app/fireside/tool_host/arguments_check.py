"""Validate a call's arguments against the tool's JSON schema."""

from __future__ import annotations

import asyncio
from typing import Any, Final

_SECONDS: Final = 5.0


async def validation_error(arguments: object, schema: dict[str, Any]) -> str:
    """Return what does not match, with the name of the field; empty where all matches or validation fails."""
    if not isinstance(arguments, dict):
        return "an object is wanted."
    try:
        async with asyncio.timeout(_SECONDS):
            return await asyncio.to_thread(_problem, arguments, schema)
    except TimeoutError:
        return ""


def _problem(arguments: dict[str, Any], schema: dict[str, Any]) -> str:
    # Imported for calls only: the import is slow.
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
    from referencing import Registry

    try:
        # An empty registry: the default one would fetch the addresses that a schema refers to.
        found = best_match(Draft202012Validator(schema, registry=Registry()).iter_errors(arguments))
    except Exception:  # noqa: BLE001  # a schema that is none; the server itself has to judge
        return ""
    if found is None:
        return ""
    field = ".".join(map(str, found.absolute_path))
    return f"{field}: {found.message[:300]}" if field else found.message[:300]
