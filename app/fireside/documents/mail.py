"""The text of an e-mail in a file: its main headers and body, with the names of its attachments."""

from __future__ import annotations

import binascii
import re
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from typing import Final

from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.documents.extracted_text import FileRefused, TextBuffer, mark_heading, strip_marks, tidy_prose
from fireside.documents.html import read_html
from fireside.documents.messages import ReadReply
from fireside.documents.plain_text import decode

MEDIA_TYPE: Final = "message/rfc822"
_SNIFF_BYTES: Final = 64 * 1024
_FIELD: Final = re.compile(rb"([!-9;-~]{1,100}):[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*")
_TYPICAL_HEADERS: Final = frozenset((b"date", b"from", b"message-id", b"received", b"subject", b"to"))
_MIN_TYPICAL_HEADERS: Final = 3
_WRITTEN_HEADERS: Final = ("From", "To", "Cc", "Date")
_MAX_NAMED: Final = 20
ATTACHED: Final = tr_noop("What is attached to it was not read: {names}. Save it as files of its own.")


def is_mail(data: bytes) -> bool:
    """Return whether a file begins with headers of a mail and an empty line."""
    end, names = 0, set[bytes]()
    start = data[:_SNIFF_BYTES]
    while field := _FIELD.match(start, end):
        names.add(field[1].lower())
        end = field.end()
    is_ended = start[end : end + 1] in (b"\n", b"\r") or end == len(data)
    is_complete = is_ended or end > _SNIFF_BYTES // 2
    return is_complete and len(names & _TYPICAL_HEADERS) >= _MIN_TYPICAL_HEADERS


def read_mail(data: bytes) -> ReadReply:
    """Return the text of a mail. Raises ``FileRefused`` for a damaged one."""
    try:
        mail = message_from_bytes(data)
        out = TextBuffer()
        if subject := _field(mail, "Subject"):
            out.add(f"{mark_heading(1)}{subject}\n\n")
        for name in _WRITTEN_HEADERS:
            if value := _field(mail, name):
                out.add(f"{name}: {value}\n")
        bodies, attached = _bodies(mail)
        warnings: list[Translatable] = []
        for body in bodies:
            reply = _read_body(body)
            out.add(f"\n{reply.text}\n")
            warnings += (warning for warning in reply.warnings if warning not in warnings)
    except (MessageError, LookupError, ValueError, TypeError, AttributeError, binascii.Error) as exc:
        # The email package raises all of these for malformed mails.
        raise FileRefused(tr_noop("it is damaged.")) from exc
    if attached:
        names = ", ".join(attached[:_MAX_NAMED]) + ("…" if len(attached) > _MAX_NAMED else "")
        warnings.append(Phrase(ATTACHED, {"names": names}))
    return ReadReply(media_type=MEDIA_TYPE, text=tidy_prose(out.text).rstrip(), warnings=tuple(warnings))


def _bodies(mail: Message) -> tuple[list[Message], list[str]]:
    """Return the parts that are the body, in order, and the names of the attachments."""
    bodies: list[Message] = []
    attached: list[str] = []
    pending = [mail]
    while pending:
        part = pending.pop()
        content_type = part.get_content_type()
        payload = part.get_payload() if part.is_multipart() else None
        if isinstance(payload, list) and content_type != "message/rfc822":
            parts = [each for each in payload if isinstance(each, Message)]
            if content_type == "multipart/alternative":
                # One text in several formats, the plainest first.
                plain = [each for each in parts if each.get_content_type() == "text/plain"]
                parts = plain[:1] or parts[-1:]
            pending += reversed(parts)
        elif content_type in ("text/plain", "text/html") and part.get_content_disposition() != "attachment":
            bodies.append(part)
        elif part.get_content_disposition() != "inline" or part.get_filename():
            attached.append(strip_marks(_decoded(part.get_filename() or content_type)))
    return bodies, attached


def _read_body(part: Message) -> ReadReply:
    raw = part.get_payload(decode=True)
    data = raw if isinstance(raw, bytes) else b""
    if not data.strip():
        return ReadReply(media_type=MEDIA_TYPE)
    charset = part.get_content_charset()
    if part.get_content_type() == "text/html":
        return read_html(data, declared=charset)
    text, warnings = decode(data, declared=charset)
    return ReadReply(media_type=MEDIA_TYPE, text=strip_marks(text), warnings=warnings)


def _field(mail: Message, name: str) -> str:
    for key, value in mail.raw_items():
        if key.lower() == name.lower():
            # Many programs write other characters than ASCII as raw UTF-8.
            header = str(value).encode("ascii", "surrogateescape").decode("utf-8", "replace")
            return strip_marks(" ".join(_decoded(header).split()))
    return ""


def _decoded(header: str) -> str:
    """Return a header with its encoded words (RFC 2047) decoded."""
    try:
        pieces = decode_header(header)
    except (MessageError, binascii.Error):
        return header
    return "".join(
        piece if isinstance(piece, str) else _decoded_bytes(piece, charset or "utf-8")
        for piece, charset in pieces
    )


def _decoded_bytes(piece: bytes, charset: str) -> str:
    try:
        return piece.decode(charset, "replace")
    except (LookupError, ValueError):
        return piece.decode("utf-8", "replace")
