"""Detect the format of imported data by its content, and split it into conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import PurePosixPath
from typing import Final

import msgspec

from fireside.core.i18n import tr, tr_noop
from fireside.services.transfer.chatgpt import read_chatgpt
from fireside.services.transfer.fireside_archive import FORMAT, open_archive, read_archived
from fireside.services.transfer.import_refusal import ImportRefused, refuse_invalid
from fireside.services.transfer.import_sources import Source
from fireside.services.transfer.jan import read_jan
from fireside.services.transfer.lm_studio import read_lm_studio
from fireside.services.transfer.open_webui import read_open_webui
from fireside.storage.transcripts import Transcript

UNKNOWN: Final = tr_noop("it has no chats in a supported format.")
_MESSAGES: Final = "messages.jsonl"
_COMPANION_FILES: Final = frozenset(
    {
        "message_feedback.json",
        "model_comparisons.json",
        "shared_conversations.json",
        "user.json",
        "user_settings.json",
    }
)
"""Other files of a ChatGPT export."""
_Raw = msgspec.Raw | msgspec.UnsetType


class FoundConversation(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation that was found and is not read yet."""

    location: str
    """Where it was found, for the user."""
    read: Callable[[], Transcript]
    """Raises ``ImportRefused``."""


class _Versions(msgspec.Struct, frozen=True):
    versions: _Raw = msgspec.UNSET


class _Probe(msgspec.Struct, frozen=True):
    format: _Raw = msgspec.UNSET
    mapping: _Raw = msgspec.UNSET
    chat: _Raw = msgspec.UNSET
    messages: _Raw = msgspec.UNSET
    assistants: _Raw = msgspec.UNSET
    object: _Raw = msgspec.UNSET


_PROBE = msgspec.json.Decoder(_Probe)
_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_VERSIONS = msgspec.json.Decoder(list[_Versions])


def find_conversations(source: Source) -> Iterator[FoundConversation | ImportRefused]:
    """Yield the conversations of a source, and why others cannot be read."""
    names = source.names()
    n_found = 0
    for name in names:
        base = PurePosixPath(name).name
        if not base.lower().endswith(".json") or (len(names) > 1 and base in _COMPANION_FILES):
            continue
        try:
            for found in _in_document(source, name):
                n_found += 1
                yield found
        except ImportRefused as refused:
            # Folders and archives may have other files: only a file selected alone must have conversations.
            if refused.reason != UNKNOWN or len(names) == 1:
                n_found += 1
                yield ImportRefused(refused.reason if len(names) == 1 else f"{base}: {refused.reason}")
    if n_found == 0:
        yield ImportRefused(UNKNOWN)


def _in_document(source: Source, name: str) -> Iterator[FoundConversation]:
    text = source.read(name).removeprefix(b"\xef\xbb\xbf")
    base = PurePosixPath(name).name
    match text.lstrip()[:1]:
        case b"[":
            with refuse_invalid():
                entries = _LIST.decode(text)
            # A list of something else is recognized by its first entry, so that not each entry is reported.
            if not entries or _reader_of(bytes(entries[0]), source) is None:
                raise ImportRefused(UNKNOWN)
            for number, entry in enumerate(entries):
                yield FoundConversation(
                    location=tr("{file}, number {place}").format(file=base, place=number + 1),
                    read=partial(_read_entry, entry, source),
                )
        case b"{":
            yield from _in_object(source, name, text)
        case _:
            raise ImportRefused(UNKNOWN)


def _in_object(source: Source, name: str, text: bytes) -> Iterator[FoundConversation]:
    base = PurePosixPath(name).name
    with refuse_invalid():
        probe = _PROBE.decode(text)
    if _is(probe.format, FORMAT):
        for number, entry in enumerate(open_archive(text)):
            yield FoundConversation(
                location=tr("{file}, number {place}").format(file=base, place=number + 1),
                read=partial(_read_own, entry),
            )
    elif (reader := _reader_of(text, source)) is not None:
        yield FoundConversation(location=base, read=partial(reader, text))
    elif _has_versions(probe.messages):
        yield FoundConversation(location=base, read=partial(read_lm_studio, text))
    elif _is(probe.object, "thread") or isinstance(probe.assistants, msgspec.Raw):
        yield FoundConversation(location=name, read=partial(_read_thread, source, name, text))
    else:
        raise ImportRefused(UNKNOWN)


def _reader_of(entry: bytes, source: Source) -> Callable[[bytes], Transcript] | None:
    """Return the reader of a list entry, by the fields that the entry has."""
    try:
        probe = _PROBE.decode(entry)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if isinstance(probe.mapping, msgspec.Raw):
        return partial(read_chatgpt, find_file=partial(_find_file, source))
    return read_open_webui if isinstance(probe.chat, msgspec.Raw) else None


def _read_entry(entry: msgspec.Raw, source: Source) -> Transcript:
    text = bytes(entry)
    reader = _reader_of(text, source)
    if reader is None:
        raise ImportRefused(UNKNOWN)
    return reader(text)


def _read_own(entry: msgspec.Raw) -> Transcript:
    return read_archived(bytes(entry))


def _read_thread(source: Source, name: str, text: bytes) -> Transcript:
    return read_jan(text, messages=source.read(str(PurePosixPath(name).with_name(_MESSAGES))))


def _find_file(source: Source, beginning: str) -> bytes | None:
    for name in source.names():
        if PurePosixPath(name).name.startswith(beginning):
            try:
                return source.read(name)
            except ImportRefused:
                return None
    return None


def _is(raw: _Raw, text: str) -> bool:
    return isinstance(raw, msgspec.Raw) and bytes(raw).strip() == f'"{text}"'.encode()


def _has_versions(raw: _Raw) -> bool:
    if not isinstance(raw, msgspec.Raw):
        return False
    try:
        messages = _VERSIONS.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return all(isinstance(message.versions, msgspec.Raw) for message in messages)
