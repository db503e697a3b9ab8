"""Detect the format of imported data by its content, and split it into conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any, Final, Protocol

import msgspec

from fireside.core.i18n import tr, tr_noop
from fireside.core.lenient_json import OnDropped, loads_leniently
from fireside.services.transfer.chatgpt import read_chatgpt
from fireside.services.transfer.claude import companions_left_out, read_claude
from fireside.services.transfer.damaged_json import CUT_SHORT, list_elements, read_json
from fireside.services.transfer.fireside_archive import FORMAT, open_archive, read_archived
from fireside.services.transfer.import_refusal import ImportRefused
from fireside.services.transfer.import_sources import ImportSource
from fireside.services.transfer.jan import read_jan
from fireside.services.transfer.lm_studio import read_lm_studio
from fireside.services.transfer.message_trees import clean_title
from fireside.services.transfer.open_webui import read_open_webui
from fireside.services.transfer.project_archive import (
    CHATS,
    IncomingProject,
    claude_projects,
    is_project_file,
    read_project,
)
from fireside.storage.transcripts import ConversationTranscript

NO_MESSAGES: Final = tr_noop("there is no message in it.")
UNKNOWN: Final = tr_noop("it has no chats in a supported format.")
_PROJECTS_FILE: Final = "projects.json"
_PROJECTS_FOLDER: Final = "projects"
_THREAD: Final = "thread.json"
_MESSAGES: Final = "messages.jsonl"
_COMPANION_FILES: Final = frozenset(
    {
        "group_chats.json",
        "message_feedback.json",
        "model_comparisons.json",
        "shared_conversations.json",
        "shopping.json",
        "sora.json",
        "user.json",
        "user_settings.json",
        "users.json",
    }
)
"""Other files of the exports of ChatGPT and Claude."""
_LISTS: Final = ("conversations", "chats", "data")
"""Fields that hold the list of conversations where a file is an object."""
_BOM: Final = b"\xef\xbb\xbf"


class FoundConversation(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation that was found and is not read yet."""

    location: str
    """Where it was found, for the user."""
    read: Callable[[OnDropped], ConversationTranscript]
    """Returns what can be read of it, and reports the places of the rest. Raises ``ImportRefused``."""


class _Probe(msgspec.Struct, frozen=True):
    format: Any = None
    title: Any = None
    name: Any = None
    mapping: msgspec.Raw | None = None
    chat: msgspec.Raw | None = None
    chat_messages: msgspec.Raw | None = None
    messages: msgspec.Raw | None = None
    assistants: msgspec.Raw | None = None
    object: Any = None
    conversations: msgspec.Raw | None = None
    chats: msgspec.Raw | None = None
    data: msgspec.Raw | None = None


class FoundProject(msgspec.Struct, frozen=True, kw_only=True):
    """A project that was found, and the places of what cannot be read in it."""

    project: IncomingProject
    dropped: tuple[str, ...] = ()


def _find_projects(source: ImportSource, names: Sequence[str]) -> Iterator[FoundProject | ImportRefused]:
    """Yield the projects of a source, which come before the conversations in them."""
    if is_project_file(names):
        yield FoundProject(project=read_project(source))
        return
    for name in filter(_is_of_claude_projects, names):
        dropped: list[str] = []
        found = list(claude_projects(source.read(name), on_dropped=dropped.append))
        for number, project in enumerate(found, start=1):
            yield FoundProject(project=project, dropped=tuple(dropped) if number == len(found) else ())


def _is_of_claude_projects(name: str) -> bool:
    path = PurePosixPath(name)
    return path.name == _PROJECTS_FILE or (path.suffix == ".json" and path.parent.name == _PROJECTS_FOLDER)


def find_conversations(
    source: ImportSource,
) -> Iterator[FoundConversation | FoundProject | ImportRefused]:
    """Yield the projects and conversations of a source, and why others cannot be read."""
    names = source.names()
    n_projects = 0
    for project in _find_projects(source, names):
        n_projects += 1
        yield project
    if is_project_file(names):
        names = (CHATS,)
    threads = {str(PurePosixPath(name).parent) for name in names if PurePosixPath(name).name == _MESSAGES}
    n_found = n_projects
    for name in names:
        path = PurePosixPath(name)
        is_thread = path.name == _THREAD and str(path.parent) in threads
        is_companion = len(names) > 1 and path.name in _COMPANION_FILES
        is_read = path.suffix.lower() == ".json" or path.name == _MESSAGES
        if not is_read or is_companion or is_thread:
            continue
        try:
            for found in _in_document(source, name):
                n_found += 1
                yield found
        except ImportRefused as refused:
            # Folders and archives may have other files: only a file selected alone must have conversations.
            if refused.reason != UNKNOWN or (len(names) == 1 and not n_projects):
                n_found += 1
                yield ImportRefused(refused.reason if len(names) == 1 else f"{path.name}: {refused.reason}")
            else:
                yield from companions_left_out(source.read(name))
    if n_found == 0:
        yield ImportRefused(UNKNOWN)


def _in_document(source: ImportSource, name: str) -> Iterator[FoundConversation]:
    path = PurePosixPath(name)
    if path.name in (_MESSAGES, _THREAD):
        yield FoundConversation(location=name, read=partial(_read_thread, source, path.parent))
        return
    text = source.read(name).removeprefix(_BOM)
    match text.lstrip()[:1]:
        case b"[":
            yield from _in_list(source, path.name, text)
        case b"{":
            yield from _in_object(source, path.name, text)
        case _:
            raise ImportRefused(UNKNOWN)


def _in_list(
    source: ImportSource, file: str, text: bytes, *, is_cut: bool = False
) -> Iterator[FoundConversation]:
    """Yield the conversations of a list; ``is_cut`` says that its last one was cut short."""
    entries = list_elements(text)
    # A list of something else has no entry that is a conversation, so that not each entry is reported.
    if not any(_reader_of(bytes(entry), source, file) for entry in entries):
        raise ImportRefused(UNKNOWN)
    for number, entry in enumerate(entries, start=1):
        yield FoundConversation(
            location=_location(entry, file=file, number=number),
            read=partial(_read_entry, entry, source, file, is_cut=is_cut and number == len(entries)),
        )


def _in_object(source: ImportSource, file: str, text: bytes) -> Iterator[FoundConversation]:
    dropped: list[str] = []
    probe = read_json(text, _Probe, on_dropped=dropped.append)
    is_cut = CUT_SHORT in dropped
    if probe.format == FORMAT:
        entries = open_archive(text)
        for number, entry in enumerate(entries, start=1):
            yield FoundConversation(
                location=_location(entry, file=file, number=number),
                read=partial(_read_own, entry, is_cut=is_cut and number == len(entries)),
            )
    elif (reader := _reader_of(text, source, file)) is not None:
        yield FoundConversation(location=file, read=partial(_read_with, reader, text))
    elif (inner := next(filter(None, (getattr(probe, name) for name in _LISTS)), None)) is not None:
        yield from _in_list(source, file, bytes(inner), is_cut=is_cut)
    else:
        raise ImportRefused(UNKNOWN)


def _location(entry: msgspec.Raw, *, file: str, number: int) -> str:
    """Return what an entry of a list is called: its title, or else its place."""
    try:
        probe = _probe(bytes(entry))
    except ImportRefused:
        probe = _Probe()
    for title in (probe.title, probe.name):
        if isinstance(title, str) and title.strip():
            return clean_title(title)
    return tr("{file}, number {place}").format(file=file, place=number)


def _probe(text: bytes) -> _Probe:
    """Return which fields an object has. Raises ``ImportRefused``."""
    return read_json(text, _Probe, on_dropped=lambda _: None)


class _Reader(Protocol):
    def __call__(self, text: bytes, *, on_dropped: OnDropped) -> ConversationTranscript: ...


def _reader_of(text: bytes, source: ImportSource, file: str) -> _Reader | None:
    """Return the reader of a conversation, by the fields that it has; ``None`` for something else."""
    try:
        probe = _probe(text)
    except ImportRefused:
        return None
    if probe.mapping is not None:
        return partial(read_chatgpt, find_file=partial(_find_file, source))
    if probe.chat is not None:
        return read_open_webui
    if probe.chat_messages is not None:
        return read_claude
    return partial(read_lm_studio, file_name=file) if _has_versions(probe.messages) else None


def _read_with(reader: _Reader, text: bytes, on_dropped: OnDropped) -> ConversationTranscript:
    return reader(text, on_dropped=on_dropped)


def _read_entry(
    entry: msgspec.Raw, source: ImportSource, file: str, on_dropped: OnDropped, *, is_cut: bool
) -> ConversationTranscript:
    if is_cut:
        on_dropped(CUT_SHORT)
    text = bytes(entry)
    reader = _reader_of(text, source, file)
    if reader is None:
        raise ImportRefused(NO_MESSAGES)
    return reader(text, on_dropped=on_dropped)


def _read_own(entry: msgspec.Raw, on_dropped: OnDropped, *, is_cut: bool) -> ConversationTranscript:
    if is_cut:
        on_dropped(CUT_SHORT)
    return read_archived(bytes(entry))


def _read_thread(
    source: ImportSource, folder: PurePosixPath, on_dropped: OnDropped
) -> ConversationTranscript:
    messages = source.read(str(folder / _MESSAGES))
    try:
        thread = source.read(str(folder / _THREAD))
    except ImportRefused:
        thread = b""
    return read_jan(thread, messages=messages, folder=folder.name, on_dropped=on_dropped)


def _find_file(source: ImportSource, beginning: str) -> bytes | None:
    for name in source.names():
        if PurePosixPath(name).name.startswith(beginning):
            try:
                return source.read(name)
            except ImportRefused:
                return None
    return None


def _has_versions(messages: msgspec.Raw | None) -> bool:
    """Return whether any message is one of LM Studio, which has ``versions``."""
    if messages is None:
        return False
    return any(isinstance(each, dict) and "versions" in each for each in _decoded_list(messages))


def _decoded_list(raw: msgspec.Raw) -> list[object]:
    try:
        value = loads_leniently(bytes(raw))
    except (msgspec.MsgspecError, RecursionError):
        return []
    return value if isinstance(value, list) else []
