"""What the program and the process that reads an attached file tell each other."""

from __future__ import annotations

import sys
from typing import Final

import msgspec

from fireside.core.i18n import Words

MAX_FILE_BYTES: Final = 50_000_000
MAX_CHARS: Final = 2_000_000
"""Of the text of one file; as many as one message can hold."""
MAX_PAGES: Final = 2_000
MAX_REPLY_BYTES: Final = 16 << 20
"""Every character four bytes, or a picture."""


class ReadRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One file, whole. Its name decides nothing; it is there to be named."""

    name: str
    data: bytes


class ReadReply(msgspec.Struct, frozen=True, kw_only=True):
    """What is in a file, or why that cannot be told.

    ``text`` of a document, or ``picture``: PNG or JPEG, upright and bounded in size.
    """

    media_type: str = ""
    """Of what was found in the file; of a picture: of ``picture``."""
    text: str = ""
    picture: bytes = b""
    n_pages: int | None = None
    warnings: tuple[Words, ...] = ()
    """Sentences: what is missing from the text."""
    problem: Words = ""
    """Ends the sentence “The file … cannot be attached: …”; empty if all went well."""


_REQUEST = msgspec.msgpack.Decoder(ReadRequest)
_REPLY = msgspec.msgpack.Decoder(ReadReply)
_encode = msgspec.msgpack.encode


def encode(message: ReadRequest | ReadReply) -> bytes:
    """Return a request or a reply as it is sent."""
    return _encode(message)


def decode_request(encoded: bytes) -> ReadRequest:
    """Return the request in ``encoded``. Raises ``msgspec.DecodeError``."""
    return _REQUEST.decode(encoded)


def decode_reply(encoded: bytes) -> ReadReply:
    """Raises ``msgspec.DecodeError`` for what is no reply, or one that is larger than agreed."""
    reply = _REPLY.decode(encoded)
    if len(reply.text) > MAX_CHARS:
        raise msgspec.ValidationError("a text without end")
    return reply


def reading_command() -> tuple[str, ...]:
    """Return the command that starts such a process of this very program."""
    # -P: modules in the working directory are not imported.
    return (sys.executable, "-P", "-m", "fireside.documents")
