"""The text of an e-mail kept as a file: who wrote to whom, and the body; what is attached is named."""

from __future__ import annotations

import binascii
import re
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from typing import Final

from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.documents.extracted_text import Extracted, FileRefused, TextBuffer, strip_marks, tidy_prose
from fireside.documents.html import read_html
from fireside.documents.plain_text import decode

MEDIA_TYPE: Final = "message/rfc822"
_LOOKED_AT: Final = 64 * 1024
_FIELD: Final = re.compile(rb"([!-9;-~]{1,100}):[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*")
_TELLING: Final = frozenset((b"date", b"from", b"message-id", b"received", b"subject", b"to"))
_ENOUGH: Final = 3
_SHOWN: Final = ("From", "To", "Cc", "Date")
_MOST_NAMED: Final = 20
ATTACHED: Final = tr_noop("What is attached to it was not read: {names}. Save it as files of its own.")


def is_mail(data: bytes) -> bool:
    """Tell by the fields that a file begins with, and the empty line behind them."""
    place, names = 0, set[bytes]()
    start = data[:_LOOKED_AT]
    while field := _FIELD.match(start, place):
        names.add(field[1].lower())
        place = field.end()
    is_ended = start[place : place + 1] in (b"\n", b"\r") or place == len(data)
    return (is_ended or place > _LOOKED_AT // 2) and len(names & _TELLING) >= _ENOUGH


def read_mail(data: bytes) -> Extracted:
    """Return the text of a mail. Raises ``FileRefused`` for one that cannot be understood."""
    try:
        mail = message_from_bytes(data)
        out = TextBuffer()
        if subject := _field(mail, "Subject"):
            out.add(f"# {subject}\n\n")
        for name in _SHOWN:
            if value := _field(mail, name):
                out.add(f"{name}: {value}\n")
        bodies, attached = _bodies(mail)
        warnings: list[Translatable] = []
        for body in bodies:
            found = _text_of(body)
            out.add(f"\n{found.text}\n")
            warnings += (warning for warning in found.warnings if warning not in warnings)
    except (MessageError, LookupError, ValueError, TypeError, AttributeError, binascii.Error) as exc:
        # The library raises all of these for mails that were never sent so.
        raise FileRefused(tr_noop("it is damaged.")) from exc
    if attached:
        names = ", ".join(attached[:_MOST_NAMED]) + ("…" if len(attached) > _MOST_NAMED else "")
        warnings.append(Phrase(ATTACHED, {"names": names}))
    return Extracted(media_type=MEDIA_TYPE, text=tidy_prose(out.text).rstrip(), warnings=tuple(warnings))


def _bodies(mail: Message) -> tuple[list[Message], list[str]]:
    """Return the parts that are read, and the names of the others."""
    bodies: list[Message] = []
    attached: list[str] = []
    waiting = [mail]
    while waiting:
        part = waiting.pop()
        kind = part.get_content_type()
        inner = part.get_payload() if part.is_multipart() else None
        if isinstance(inner, list) and kind != "message/rfc822":
            parts = [each for each in inner if isinstance(each, Message)]
            if kind == "multipart/alternative":
                # The same in several forms, the plainest first.
                plain = [each for each in parts if each.get_content_type() == "text/plain"]
                parts = plain[:1] or parts[-1:]
            waiting += reversed(parts)
        elif kind in ("text/plain", "text/html") and part.get_content_disposition() != "attachment":
            bodies.append(part)
        elif part.get_content_disposition() != "inline" or part.get_filename():
            attached.append(strip_marks(_decoded(part.get_filename() or kind)))
    return bodies, attached


def _text_of(part: Message) -> Extracted:
    raw = part.get_payload(decode=True)
    data = raw if isinstance(raw, bytes) else b""
    if not data.strip():
        return Extracted(media_type=MEDIA_TYPE)
    charset = part.get_content_charset()
    if part.get_content_type() == "text/html":
        return read_html(data, declared=charset)
    text, warnings = decode(data, declared=charset)
    return Extracted(media_type=MEDIA_TYPE, text=strip_marks(text), warnings=warnings)


def _field(mail: Message, name: str) -> str:
    for key, value in mail.raw_items():
        if key.lower() == name.lower():
            # Letters beyond ASCII that stand there as they are, as many programs write them.
            plain = str(value).encode("ascii", "surrogateescape").decode("utf-8", "replace")
            return strip_marks(" ".join(_decoded(plain).split()))
    return ""


def _decoded(words: str) -> str:
    """Return words that were written in letters of ASCII alone."""
    try:
        pieces = decode_header(words)
    except (MessageError, binascii.Error):
        return words
    return "".join(
        piece if isinstance(piece, str) else _as_text(piece, charset or "utf-8") for piece, charset in pieces
    )


def _as_text(piece: bytes, charset: str) -> str:
    try:
        return piece.decode(charset, "replace")
    except (LookupError, ValueError):
        return piece.decode("utf-8", "replace")
