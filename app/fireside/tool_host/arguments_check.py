"""Validate a call's arguments against the tool's JSON schema."""

from __future__ import annotations

import asyncio
from typing import Any, Final

_LIMIT_S: Final = 5.0


async def validation_error(arguments: object, schema: dict[str, Any]) -> str:
    """Return what does not match, with the name of the field; empty if all matches or cannot be checked."""
    if not isinstance(arguments, dict):
        return "an object is wanted."
    try:
        async with asyncio.timeout(_LIMIT_S):
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
        error = best_match(Draft202012Validator(schema, registry=Registry()).iter_errors(arguments))
    except Exception:  # noqa: BLE001  # an invalid schema; the server itself has to validate
        return ""
    if error is None:
        return ""
    field = ".".join(map(str, error.absolute_path))
    return f"{field}: {error.message[:300]}" if field else error.message[:300]
