"""Read what a command line points to: rules for the answer, pictures. Errors are for argparse to tell."""

from __future__ import annotations

import argparse
from pathlib import Path

from fireside.core.message import ImagePart
from fireside.settings.definitions_answer import (
    FORMAT_GBNF,
    FORMAT_JSON_SCHEMA,
    FORMAT_LARK,
    FORMAT_REGEX,
)

MAX_IMAGE_BYTES = 24 * 1024 * 1024
_MEDIA_TYPES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}

Rule = tuple[str, str]
"""A format of ``answer.format`` and its rule."""


def json_schema(text: str) -> Rule:
    """Take a schema as it is, or the file that it is in."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the schema is empty")
    is_schema = text.lstrip().startswith("{") or text.strip() in ("true", "false")
    return FORMAT_JSON_SCHEMA, text if is_schema else _text_of(text)


def regex(text: str) -> Rule:
    """Take a regular expression."""
    if not text:
        raise argparse.ArgumentTypeError("the pattern is empty")
    return FORMAT_REGEX, text


def grammar(path: str) -> Rule:
    """Take the file of a grammar; llama.cpp's notation is known by its ``::=``."""
    text = _text_of(path)
    return (FORMAT_GBNF if "::=" in text else FORMAT_LARK), text


def image(path: str) -> ImagePart:
    """Take a picture, PNG or JPEG."""
    try:
        if Path(path).stat().st_size > MAX_IMAGE_BYTES:
            raise argparse.ArgumentTypeError(f"{path} is larger than {MAX_IMAGE_BYTES // 2**20} MB")
        content = Path(path).read_bytes()
    except OSError as exc:
        raise argparse.ArgumentTypeError(f"{path} cannot be read: {exc.strerror}") from exc
    for beginning, media_type in _MEDIA_TYPES.items():
        if content.startswith(beginning):
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
