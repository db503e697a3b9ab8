"""The text of an e-mail in a file: its main headers, its body, and what of its attachments is text."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import EmailMessage
from typing import Final

from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.documents.extracted_text import FileRefused, TextBuffer, mark_heading, strip_marks, tidy_prose
from fireside.documents.html import is_html, read_html
from fireside.documents.messages import ReadReply
from fireside.documents.plain_text import decode
from fireside.documents.rtf import BEGINNING as RTF
from fireside.documents.rtf import read_rtf

MEDIA_TYPE: Final = "message/rfc822"
_SNIFF_BYTES: Final = 64 * 1024
_FIELD: Final = re.compile(rb"([!-9;-~]{1,100}):[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*")
_TYPICAL_HEADERS: Final = frozenset((b"date", b"from", b"message-id", b"received", b"subject", b"to"))
_MIN_TYPICAL_HEADERS: Final = 3
_WRITTEN_HEADERS: Final = ("From", "To", "Cc", "Date")
_MAX_NAMED: Final = 20
_MAX_DEPTH: Final = 5
"""Of mails that are attached to mails."""
_TEXT_TYPES: Final = ("application/json", "application/octet-stream", "application/xml", "application/yaml")
"""Besides ``text/…``: the types of attachments that may be text."""
_BINARY: Final = (b"%PDF", b"PK\x03\x04")
_SIGNATURES: Final = (
    "application/pgp-signature",
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
)
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
    reader = _Reader()
    try:
        reader.read(message_from_bytes(data, policy=policy.default))
    except (MessageError, LookupError, ValueError, TypeError, AttributeError) as exc:
        # The email package raises all of these for malformed mails.
        raise FileRefused(tr_noop("it is damaged.")) from exc
    warnings = reader.warnings
    if unread := reader.unread:
        names = ", ".join(unread[:_MAX_NAMED]) + ("…" if len(unread) > _MAX_NAMED else "")
        warnings.append(Phrase(ATTACHED, {"names": names}))
    text = tidy_prose(reader.out.text).rstrip()
    return ReadReply(media_type=MEDIA_TYPE, text=text, warnings=tuple(warnings))


class _Reader:
    """Writes a mail, and below it what is attached to it, under the names of the attachments."""

    def __init__(self) -> None:
        self.out = TextBuffer()
        self.warnings: list[Translatable] = []
        self.unread: list[str] = []
        """The names of the attachments that are no text."""

    def read(self, mail: EmailMessage, *, depth: int = 0) -> None:
        """Write a mail with its attachments."""
        if subject := _field(mail, "Subject"):
            self.out.add(f"{mark_heading(1)}{subject}\n\n")
        for name in _WRITTEN_HEADERS:
            if value := _field(mail, name):
                self.out.add(f"{name}: {value}\n")
        bodies, attached = _parts(mail)
        for body in bodies:
            self._write(_read_text(body) or ReadReply())
        for part in attached:
            self._read_attachment(part, depth=depth)

    def _read_attachment(self, part: EmailMessage, *, depth: int) -> None:
        content_type = part.get_content_type()
        name = " ".join(strip_marks(part.get_filename() or content_type).split())
        inner = part.get_payload()
        if content_type == "message/rfc822" and isinstance(inner, list) and inner and depth < _MAX_DEPTH:
            mail = inner[0]
            if isinstance(mail, EmailMessage):
                self.out.add(f"\n\n{mark_heading(2)}Attachment: {name}\n\n")
                self.read(mail, depth=depth + 1)
                return
        reply = _read_text(part) if content_type.startswith("text/") or content_type in _TEXT_TYPES else None
        if reply is None:
            self.unread.append(name)
        elif reply.text.strip():
            self.out.add(f"\n\n{mark_heading(2)}Attachment: {name}\n")
            self._write(reply)

    def _write(self, reply: ReadReply) -> None:
        self.out.add(f"\n{reply.text}\n")
        self.warnings += [warning for warning in reply.warnings if warning not in self.warnings]


def _parts(mail: EmailMessage) -> tuple[list[EmailMessage], list[EmailMessage]]:
    """Return the parts that are the body, in order, and the attachments."""
    bodies: list[EmailMessage] = []
    attached: list[EmailMessage] = []
    pending = [mail]
    while pending:
        part = pending.pop()
        content_type = part.get_content_type()
        if part.is_multipart() and content_type != "message/rfc822":
            parts = [each for each in part.iter_parts() if isinstance(each, EmailMessage)]
            if content_type == "multipart/alternative":
                # One text in several formats, the plainest first.
                plain = [each for each in parts if each.get_content_type() == "text/plain"]
                parts = plain[:1] or parts[-1:]
            pending += reversed(parts)
        elif content_type in ("text/plain", "text/html") and not (
            part.is_attachment() or part.get_filename()
        ):
            bodies.append(part)
        elif content_type not in _SIGNATURES and (
            part.get_content_disposition() != "inline" or part.get_filename()
        ):
            attached.append(part)
    return bodies, attached


def _read_text(part: EmailMessage) -> ReadReply | None:
    """Return the text of a part by what it holds; ``None`` if it is no text."""
    raw = part.get_payload(decode=True)
    data = raw if isinstance(raw, bytes) else b""
    if not data.strip():
        return ReadReply()
    if data.startswith(_BINARY):
        return None
    charset = part.get_content_charset()
    try:
        if part.get_content_type() == "text/html" or is_html(data):
            return read_html(data, declared=charset)
        if data.startswith(RTF):
            return read_rtf(data)
        text, warnings = decode(data, declared=charset)
    except FileRefused:
        return None
    return ReadReply(text=strip_marks(text), warnings=warnings)


def _field(mail: EmailMessage, name: str) -> str:
    return strip_marks(" ".join(str(mail.get(name, "")).split()))
