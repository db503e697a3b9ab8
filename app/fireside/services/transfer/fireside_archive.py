"""Fireside's own file of conversations: JSON that loses nothing.

The file is one object::

    {
      "format": "fireside-conversations",
      "version": 1,
      "exported_at": 1780000000.0,
      "conversations": [ … ]
    }

A conversation has the fields of ``storage.transcripts.Transcript``. ``messages`` has the messages of all
branches, parents first: ``parent`` is the index of the parent in the list, ``null`` for a root. ``active`` is
the index of the last message of the active branch. ``parts`` are tagged by ``type``: ``text``, ``reasoning``,
``image`` and ``audio`` (Base64), ``video``, ``document``, ``tool_call``, ``tool_result``. Times are seconds
since the epoch, UTC. ``facts`` has the remembered facts that hold in the conversation alone, each with the
index of the ``message`` that it is from.
``origin`` identifies the conversation globally, so that it is imported only once. Readers ignore unknown
fields; a field with its default value may be left out.

Queued messages are not part of a conversation yet and are not in the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from fireside.core.facts import tidy_fact, usable_facts
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.options import SettingValue
from fireside.core.project import PROJECT_INSTRUCTIONS_KEY
from fireside.services.transfer.damaged_json import list_elements, read_json
from fireside.services.transfer.import_refusal import ImportRefused, refuse_invalid
from fireside.settings.definitions_tools import TOOL_KEYS
from fireside.storage.transcripts import ConversationTranscript

FORMAT: Final = "fireside-conversations"
VERSION: Final = 1
MAX_MESSAGES: Final = 200_000
MAX_ORIGIN: Final = 1_000
LATEST_S: Final = 253_402_300_799.0
"""The end of the year 9999."""


class _Head(msgspec.Struct, frozen=True, kw_only=True):
    format: str = ""
    version: Any = None
    conversations: msgspec.Raw | None = None


_TRANSCRIPT = msgspec.json.Decoder(ConversationTranscript)


def archive_head(*, exported_at: float) -> bytes:
    """Return the start of the file."""
    head = msgspec.json.encode({"format": FORMAT, "version": VERSION, "exported_at": exported_at})
    return head[:-1] + b',"conversations":['


def archive_entry(transcript: ConversationTranscript, *, is_first: bool) -> bytes:
    """Return one conversation of the file; entries follow each other."""
    return (b"\n" if is_first else b",\n") + msgspec.json.encode(transcript)


ARCHIVE_END: Final = b"\n]}\n"


def open_archive(text: bytes) -> list[msgspec.Raw]:
    """Return the conversations, not decoded yet, of a file cut short those up to the cut. Raises
    ``ImportRefused``."""
    head = read_json(text, _Head, on_dropped=lambda _: None)
    if head.format != FORMAT:
        raise ImportRefused(tr_noop("it is not a chat file."))
    if not isinstance(head.version, int) or head.version < 1:
        raise ImportRefused(tr_noop("it has an invalid version."))
    if head.version > VERSION:
        raise ImportRefused(tr_noop("it is from a newer version of Fireside. Update Fireside to import it."))
    return list_elements(bytes(head.conversations or b"[]"))


def read_archived(text: bytes) -> ConversationTranscript:
    """Return one decoded and checked conversation. Raises ``ImportRefused``."""
    with refuse_invalid():
        transcript = _TRANSCRIPT.decode(text)
    check_transcript(transcript)
    facts = [msgspec.structs.replace(fact, text=tidy_fact(fact.text)) for fact in transcript.facts]
    usable = usable_facts(fact.text for fact in facts)
    return msgspec.structs.replace(
        transcript,
        overrides=without_grants(transcript.overrides),
        facts=tuple(fact for fact in facts if fact.text in usable),
    )


def without_grants(settings: Mapping[str, SettingValue]) -> dict[str, SettingValue]:
    """Return settings of a file without tool grants and folders: no file may decide what a model can access,
    nor have instructions for a chat that its settings do not show."""
    return {
        key: value
        for key, value in settings.items()
        if not key.startswith(TOOL_KEYS) and key != PROJECT_INSTRUCTIONS_KEY
    }


def check_transcript(transcript: ConversationTranscript) -> None:
    """Raise ``ImportRefused`` for an inconsistent transcript."""
    if not 0 < len(transcript.origin) <= MAX_ORIGIN:
        raise ImportRefused(tr_noop("it has no usable identifier (“origin”)."))
    n_messages = len(transcript.messages)
    if n_messages > MAX_MESSAGES:
        raise ImportRefused(tr("it has more than {most} messages.").format(most=number(MAX_MESSAGES)))
    for index, message in enumerate(transcript.messages):
        if message.parent is not None and not 0 <= message.parent < index:
            raise ImportRefused(
                tr("message {place} follows one that does not stand before it.").format(place=index + 1)
            )
        if not 0 <= message.created_at <= LATEST_S:
            raise ImportRefused(tr("message {place} has no possible time.").format(place=index + 1))
    if transcript.active is not None and not 0 <= transcript.active < n_messages:
        raise ImportRefused(tr_noop("the branch that is shown ends in a message that is not there."))
    if not all(fact.message is None or 0 <= fact.message < n_messages for fact in transcript.facts):
        raise ImportRefused(tr_noop("a remembered fact is from a message that is not there."))
    times = (transcript.created_at, transcript.updated_at, *(fact.created_at for fact in transcript.facts))
    if not all(0 <= time <= LATEST_S for time in times):
        raise ImportRefused(tr_noop("it has no possible time."))
