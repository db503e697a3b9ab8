"""Read JSON files of other programs as far as they can be read: cut short, or with odd bytes and values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, TypeVar

import msgspec

from fireside.core.i18n import tr, tr_noop
from fireside.core.lenient_json import OnDropped, convert_leniently, decode_leniently, loads_leniently
from fireside.services.transfer.import_refusal import ImportRefused

CUT_SHORT: Final = "…"
"""The path that is reported for what follows a damaged place."""

_TOKEN: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[\[\]{},]', re.DOTALL)
_PARTIAL_ESCAPE: Final = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?\Z")
_CLOSING: Final = {"{": "}", "[": "]"}
_MAX_REPAIRS: Final = 3
_T = TypeVar("_T")


def read_json(text: bytes, kind: type[_T], *, on_dropped: OnDropped) -> _T:
    """Return a JSON object as a struct of type ``kind``, without what cannot be read in it.

    ``on_dropped`` is told of each place that was left out. Raises ``ImportRefused`` if nothing can be read.
    """
    try:
        return decode_leniently(text, kind, on_dropped=on_dropped)
    except msgspec.ValidationError as exc:
        raise ImportRefused(
            tr("something in it is not what it should be ({reason}).").format(reason=exc)
        ) from exc
    except msgspec.DecodeError as exc:
        try:
            value = _repaired(text)
            on_dropped(CUT_SHORT)
            return convert_leniently(value, kind, on_dropped=on_dropped)
        except (msgspec.MsgspecError, ValueError):
            raise ImportRefused(tr("it is damaged or cut short ({reason}).").format(reason=exc)) from exc
    except RecursionError as exc:
        raise ImportRefused(tr_noop("it is nested too deeply.")) from exc


def list_elements(text: bytes) -> list[msgspec.Raw]:
    """Return the elements of a JSON list, each as it is; the last one may be cut short. Raises nothing."""
    try:
        return msgspec.json.decode(text, type=list[msgspec.Raw])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return [msgspec.Raw(element) for element in _scanned_elements(text)]


def _scanned_elements(text: bytes) -> Iterator[bytes]:
    depth, start = 0, -1
    for match in _TOKEN.finditer(text):
        token = match.group()[:1]
        if token in b"[{":
            depth += 1
            start = match.end() if depth == 1 else start
        elif token in b"]}":
            depth -= 1
        if depth < 0 or start < 0:
            return
        if (token == b"," and depth == 1) or depth == 0:
            if element := text[start : match.start()].strip():
                yield element
            if depth == 0:
                return
            start = match.end()
    if start >= 0 and (element := text[start:].strip()):
        yield element


def _repaired(text: bytes) -> Any:
    """Return the values of JSON up to the place where it is damaged. Raises ``ValueError``, and others."""
    rest = text.decode("utf-8", "replace")
    for _ in range(_MAX_REPAIRS):
        try:
            json.loads(rest, strict=False)
            break
        except json.JSONDecodeError as exc:
            is_cut = exc.msg.startswith("Unterminated string")
            rest = _closed(rest if is_cut else rest[: exc.pos])
    return loads_leniently(rest.encode("utf-8", "replace"))


def _closed(text: str) -> str:
    """Return the beginning of a JSON document up to its last complete value, with all brackets closed.

    Of a text that is cut short its beginning is a value.
    """
    open_brackets: list[str] = []
    end, closing = 0, ""
    for match in re.finditer(r'"[^"\\]*(?:\\.[^"\\]*)*("|\\?\Z)|[\[\]{},]', text, re.DOTALL):
        mark = match.group()
        if mark in _CLOSING:
            open_brackets.append(_CLOSING[mark])
        elif mark in ("]", "}"):
            if not open_brackets or open_brackets.pop() != mark:
                break
        elif mark != ",":
            if match.group(1) != '"' and text[: match.start()].rstrip().endswith(":"):
                return _PARTIAL_ESCAPE.sub(r"\1", text) + '"' + "".join(reversed(open_brackets))
            continue
        end = match.start() if mark == "," else match.end()
        closing = "".join(reversed(open_brackets))
    return text[:end] + closing
