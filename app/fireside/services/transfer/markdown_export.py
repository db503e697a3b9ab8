"""Write the branch that is shown as Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, assert_never

from fireside.core.i18n import tr
from fireside.core.message import (
    DocumentPart,
    ImagePart,
    MessagePart,
    PassagesPart,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.services.transfer.export_text import (
    date_iso,
    models_of,
    note_words,
    passages_text,
    thought_words,
    title_words,
    who,
)
from fireside.storage.transcripts import Transcript, TranscriptMessage

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_TICKS: Final = re.compile(r"`{3,}")
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>#|~])")


def as_markdown(transcript: Transcript) -> str:
    """Return the text of a file: what it is, then one heading and text for each message."""
    branch = transcript.branch()
    pieces = [_front_matter(transcript, branch), f"# {plain(title_words(transcript))}\n"]
    pieces.extend(_message(message) for message in branch)
    return "\n".join(pieces)


def plain(text: str) -> str:
    """Return words so that Markdown shows them as they are."""
    return _MARKUP.sub(r"\\\1", text)


def closed(text: str) -> str:
    """Return Markdown with a fence that was left open closed, so that what follows is not taken for code."""
    mark = ""
    for line in text.splitlines():
        found = _FENCE.fullmatch(line)
        if found is None:
            continue
        ticks, rest = found.groups()
        if not mark:
            # A line of backticks with more of them later is code within a line.
            mark = ticks if ticks[0] == "~" or "`" not in rest else ""
        elif ticks[0] == mark[0] and len(ticks) >= len(mark) and not rest.strip():
            mark = ""
    return f"{text.rstrip()}\n{mark}" if mark else text.rstrip()


def fenced(text: str, *, language: str = "") -> str:
    """Return text as a block of code, with a fence longer than any in it."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _front_matter(transcript: Transcript, branch: tuple[TranscriptMessage, ...]) -> str:
    # Text in JSON's quotes is text in YAML's as well.
    lines = ["---", f"title: {_quoted(title_words(transcript))}"]
    if transcript.created_at > 0:
        lines.append(f"date: {date_iso(transcript.created_at)}")
    if models := models_of(branch):
        lines.append(f"model: {_quoted(', '.join(models))}")
    return "\n".join((*lines, "---", ""))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _message(message: TranscriptMessage) -> str:
    parts = [f"## {plain(who(message))}", *_parts(message)]
    if note := note_words(message):
        parts.append(f"> **{plain(note)}**")
    return "\n\n".join(parts) + "\n"


def _parts(message: TranscriptMessage) -> Iterator[str]:
    for part in message.message.parts:
        yield _part(part, message)


def _part(part: MessagePart, message: TranscriptMessage) -> str:
    match part:
        case TextPart():
            return closed(part.text)
        case ReasoningPart():
            return _quote(f"**{thought_words(message)}**\n\n{closed(part.text)}")
        case ImagePart():
            return "*[" + tr("Image, {kind}").format(kind=part.media_type) + "]*"
        case DocumentPart():
            return _headed(tr("Attached file {name}:").format(name=plain(part.name)), fenced(part.text))
        case PassagesPart():
            return _headed(tr("Passages") + ":", fenced("\n\n".join(passages_text(part))))
        case ToolCallPart():
            asks = tr("Calls tool {name}:").format(name=plain(part.name))
            return _headed(asks, fenced(part.arguments, language="json"))
        case ToolResultPart():
            return _headed(tr("Result of {name}:").format(name=plain(part.name)), fenced(part.text))
        case _:
            assert_never(part)


def _headed(words: str, block: str) -> str:
    return f"{words}\n\n{block}"


def _quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
