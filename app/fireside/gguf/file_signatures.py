"""Recognise other file formats by their first bytes."""

from __future__ import annotations

from fireside.core.i18n import Phrase, Translatable, tr_noop

MAGIC = b"GGUF"
SNIFF_BYTES = 512

_OLD_GGML = (b"lmgg", b"fmgg", b"tjgg", b"algg")
_ARCHIVES = (
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!",
    b"\x28\xb5\x2f\xfd",
    b"BZh",
    b"\xfd7zXZ",
)
_PROGRAMS = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


def foreign_format_reason(head: bytes) -> Translatable:
    """Return why a file that begins with ``head`` is no GGUF file, as a clause for the user."""
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    reason: Translatable
    if head.startswith(MAGIC[::-1]):
        reason = tr_noop("it is in big-endian format, which is not supported.")
    elif head.startswith(_OLD_GGML):
        reason = tr_noop("it is in the old GGML format. Download the model as GGUF.")
    elif text.startswith((b"<!doctype", b"<html", b"<?xml", b"<head", b"<script")):
        reason = tr_noop("it is a web page. The download probably ended on a sign-in or error page.")
    elif text.startswith(b"version https://git-lfs"):
        reason = tr_noop("it is only a pointer to the model (Git LFS). Download the file itself.")
    elif head[8:9] == b"{" and head[7:8] == b"\0":
        reason = tr_noop("it is a safetensors file. Fireside needs the model as GGUF.")
    elif text.startswith((b"{", b"[")):
        reason = tr_noop("it is a JSON text. The download probably ended on an error message.")
    elif head.startswith(_ARCHIVES):
        reason = tr_noop("it is an archive. Extract it first, or download the model as GGUF.")
    elif head.startswith(_PROGRAMS):
        reason = tr_noop("it is a program.")
    elif head.startswith(b"\x80"):
        reason = tr_noop("it is a PyTorch file. Fireside needs the model as GGUF.")
    elif not any(head):
        reason = tr_noop("it starts with zeros. The download is probably incomplete.")
    else:
        shown = " ".join(f"{byte:02x}" for byte in head[:4])
        reason = Phrase(tr_noop("it is not a GGUF file (its first bytes are {shown})."), {"shown": shown})
    return reason
