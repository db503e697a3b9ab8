"""What commands read: the pipe, and files that arguments name, which raise ``ArgumentTypeError``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fireside.core.message import ImagePart
from fireside.settings.definitions_answer import (
    FORMAT_GBNF,
    FORMAT_JSON_SCHEMA,
    FORMAT_LARK,
    FORMAT_REGEX,
)

MAX_IMAGE_BYTES = 24 * 1024 * 1024
_MEDIA_TYPES_BY_SIGNATURE = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}

Rule = dict[str, str]
"""The settings of an output format, by key."""


def is_interactive() -> bool:
    """Whether the user types, so that nothing is piped in."""
    return sys.stdin is not None and sys.stdin.isatty()


def piped_text() -> str:
    """Return the piped input, nothing if there is none; invalid UTF-8 is replaced."""
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    return sys.stdin.buffer.read().decode("utf-8", errors="replace")


def confirms(question: str) -> bool:
    if not is_interactive():
        sys.stderr.write("fireside: this needs your confirmation. In a script, add --yes.\n")
        return False
    try:
        return input(f"{question} [y/N] ").strip().casefold() in ("y", "yes")
    except EOFError:
        return False


def json_schema(text: str) -> Rule:
    """Return a JSON Schema, which is the text itself or in the file of that name."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the schema is empty")
    is_schema = text.lstrip().startswith("{") or text.strip() in ("true", "false")
    return _rule(FORMAT_JSON_SCHEMA, text if is_schema else _text_of(text))


def regex(text: str) -> Rule:
    """Return a regular expression."""
    if not text:
        raise argparse.ArgumentTypeError("the pattern is empty")
    return _rule(FORMAT_REGEX, text)


def grammar(path: str) -> Rule:
    """Return the grammar in a file: GBNF if it contains ``::=``, else Lark."""
    text = _text_of(path)
    return _rule(FORMAT_GBNF if "::=" in text else FORMAT_LARK, text)


def _rule(form: str, rule: str) -> Rule:
    return {"answer.format": form, "answer.format_rule": rule}


def image(path: str) -> ImagePart:
    """Return the PNG or JPEG image in a file."""
    try:
        if Path(path).stat().st_size > MAX_IMAGE_BYTES:
            raise argparse.ArgumentTypeError(f"{path} is larger than {MAX_IMAGE_BYTES // 2**20} MB")
        content = Path(path).read_bytes()
    except OSError as exc:
        raise argparse.ArgumentTypeError(f"{path} cannot be read: {exc.strerror}") from exc
    for signature, media_type in _MEDIA_TYPES_BY_SIGNATURE.items():
        if content.startswith(signature):
            return ImagePart(data=content, media_type=media_type)
    raise argparse.ArgumentTypeError(f"{path} is neither a PNG nor a JPEG image")


def _text_of(path: str) -> str:
    if not path.strip():
        raise argparse.ArgumentTypeError("the file’s name is empty")
    try:
        text = Path(path).read_text("utf-8")
    except OSError as exc:
        raise argparse.ArgumentTypeError(f"{path} cannot be read: {exc.strerror}") from exc
    except UnicodeDecodeError as exc:
        raise argparse.ArgumentTypeError(f"{path} is not a text file") from exc
    if not text.strip():
        raise argparse.ArgumentTypeError(f"{path} is empty")
    return text
