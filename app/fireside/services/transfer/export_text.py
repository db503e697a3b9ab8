"""Texts of exported and printed conversations besides their messages: titles, speakers, dates, notes."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

import msgspec

from fireside.core.i18n import number, tr, tr_noop
from fireside.core.ids import MessageId
from fireside.core.message import ChatMessage, MessagePart, PassagesPart, ReasoningPart, Role, TextPart
from fireside.core.transfer import PrintedMessage, PrintedPage
from fireside.markup.artifact_blocks import find_artifacts
from fireside.storage.store import Store
from fireside.storage.transcripts import ConversationTranscript, TranscriptMessage

UNTITLED: Final = tr_noop("Chat")
UNREADABLE: Final = tr_noop("This message is damaged and could not be read.")
_MONTHS: Final = (
    *(
        tr_noop("January"),
        tr_noop("February"),
        tr_noop("March"),
        tr_noop("April"),
        tr_noop("May"),
        tr_noop("June"),
    ),
    *(tr_noop("July"), tr_noop("August"), tr_noop("September"), tr_noop("October"), tr_noop("November")),
    tr_noop("December"),
)
_CODE: Final = "message_unreadable"
_LONGEST_TITLE: Final = 300
_TICKS: Final = re.compile(r"`{3,}")


def title_text(transcript: ConversationTranscript) -> str:
    """Return the title on one line."""
    return " ".join(transcript.title.split())[:_LONGEST_TITLE] or tr(UNTITLED)


def speaker_name(message: TranscriptMessage) -> str:
    """Return the name of a message's author."""
    match message.message.role:
        case Role.USER:
            return tr("You")
        case Role.ASSISTANT:
            name = message.generation.model_name if message.generation is not None else ""
            return " ".join(name.split()) or tr("Assistant")
        case Role.SYSTEM:
            return tr("System prompt")
        case Role.TOOL:
            return tr("Tool")


def reasoning_title(message: TranscriptMessage) -> str:
    """Return the title of a message's reasoning, with its duration if known."""
    thought_s = message.generation.thought_s if message.generation is not None else None
    return (
        tr("Thought for {seconds} s").format(seconds=number(thought_s))
        if thought_s is not None and thought_s >= 1
        else tr("Thinking")
    )


def passages_text(part: PassagesPart) -> tuple[str, ...]:
    """Return the passages that were sent with a question, each with its number and location."""
    return tuple(
        f"[{each.number}] {each.passage.location_text}\n{each.passage.text}" for each in part.citations
    )


def is_unreadable(message: TranscriptMessage) -> bool:
    """Return whether a message is a placeholder for a damaged one."""
    return message.error is not None and message.error.code == _CODE


def problem_text(message: TranscriptMessage) -> str:
    """Return what went wrong with a message; empty if nothing did."""
    if is_unreadable(message):
        return tr(UNREADABLE)
    return message.error.sentence if message.error is not None else ""


def date_text(time: float) -> str:
    """Return a date and time for the user, in UTC; empty if unknown."""
    if time <= 0:
        return ""
    then = datetime.fromtimestamp(time, UTC)
    return tr("{day:02} {month} {year}, {time} UTC").format(
        day=then.day, month=tr(_MONTHS[then.month - 1]), year=then.year, time=f"{then:%H:%M}"
    )


def date_iso(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).isoformat(timespec="seconds")


def model_names(branch: tuple[TranscriptMessage, ...]) -> tuple[str, ...]:
    """Return the names of the models that answered, each once."""
    names = (message.generation.model_name for message in branch if message.generation is not None)
    return tuple(dict.fromkeys(" ".join(name.split()) for name in names if name.strip()))


async def answer_transcript(store: Store, message_id: MessageId) -> ConversationTranscript:
    """Return a conversation with one message alone, without its reasoning.

    Raises ``RecordNotFound`` or another ``StorageError``.
    """
    stored = await store.messages.get(message_id)
    parts = tuple(part for part in stored.message.parts if not isinstance(part, ReasoningPart))
    message = TranscriptMessage(
        message=msgspec.structs.replace(stored.message, parts=parts),
        state=stored.state,
        created_at=stored.created_at,
        error=stored.error,
        generation=stored.generation,
        artifacts=(await store.artifact_edits.of_messages([message_id])).get(message_id, ()),
    )
    whole = await store.transcripts.get(stored.conversation_id)
    return msgspec.structs.replace(whole, active=None, messages=(message,))


def text_transcript(text: str, *, title: str) -> ConversationTranscript:
    """Return a conversation that is one answer with this Markdown, to be exported as answers are."""
    answer = ChatMessage(role=Role.ASSISTANT, parts=(TextPart(text=text),))
    return ConversationTranscript(origin="", title=title, messages=(TranscriptMessage(message=answer),))


def with_edits(transcript: ConversationTranscript) -> ConversationTranscript:
    """Return a conversation whose answers are followed by the versions that the user made of their blocks."""
    if not any(message.artifacts for message in transcript.messages):
        return transcript
    return msgspec.structs.replace(transcript, messages=tuple(map(_with_edits, transcript.messages)))


def _with_edits(message: TranscriptMessage) -> TranscriptMessage:
    edits = [(note, edit) for note in message.artifacts for edit in note.edits]
    if not edits:
        return message
    found = find_artifacts(message.message.text, kept={note.start for note, _ in edits})
    by_start = {each.start: each for each in found}
    parts: list[MessagePart] = list(message.message.parts)
    for note, edit in edits:
        block = by_start.get(note.start)
        name = note.title or (block.name if block is not None else "")
        said = tr("Version by hand of “{name}”").format(name=name) if name else tr("Version by hand")
        code = code_block(edit.text, language=block.language if block is not None else "")
        parts.append(TextPart(text=f"\n\n*{said}, {date_text(edit.created_at)}:*\n\n{code}\n"))
    content = msgspec.structs.replace(message.message, parts=tuple(parts))
    return msgspec.structs.replace(message, message=content)


def code_block(text: str, *, language: str = "") -> str:
    """Return ``text`` as a code block, with a fence longer than any in it."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def printable_conversation(transcript: ConversationTranscript) -> PrintedPage:
    """Return the active branch, ready for printing."""
    branch = with_edits(transcript).branch()
    return PrintedPage(
        title=title_text(transcript),
        facts=" · ".join(filter(None, (date_text(transcript.created_at), *model_names(branch)))),
        messages=tuple(
            PrintedMessage(
                role=message.message.role,
                name=speaker_name(message),
                parts=message.message.parts,
                thought=reasoning_title(message),
                note=problem_text(message),
            )
            for message in branch
        ),
        n_unreadable=sum(map(is_unreadable, branch)),
    )
