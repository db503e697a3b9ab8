"""Export the active branch as Markdown."""

from __future__ import annotations

import json
import re
from typing import Final, assert_never

from fireside.core.attachment import clock_time
from fireside.core.i18n import tr
from fireside.core.message import (
    AudioPart,
    ContentPart,
    DocumentPart,
    ImagePart,
    PassagesPart,
    ReasoningPart,
    TextPart,
    VideoPart,
)
from fireside.core.tool_calls import ShownCall, shown_parts
from fireside.services.transfer.export_text import (
    code_block,
    date_iso,
    model_names,
    passages_text,
    problem_text,
    reasoning_title,
    speaker_name,
    title_text,
)
from fireside.storage.transcripts import ConversationTranscript, TranscriptMessage

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>#|~])")


def markdown_text(transcript: ConversationTranscript) -> str:
    """Return the Markdown file: front matter, then a heading and text for each message."""
    branch = transcript.branch()
    pieces = [_front_matter(transcript, branch), f"# {escape_markdown(title_text(transcript))}\n"]
    pieces.extend(_message(message) for message in branch)
    return "\n".join(pieces)


def answer_markdown(transcript: ConversationTranscript) -> str:
    """Return the texts of the active branch as they were written."""
    parts = (part for message in transcript.branch() for part in message.message.parts)
    return "\n\n".join(part.text.strip("\n") for part in parts if isinstance(part, TextPart)) + "\n"


def escape_markdown(text: str) -> str:
    """Return ``text`` escaped, so that Markdown displays it literally."""
    return _MARKUP.sub(r"\\\1", text)


def close_fences(text: str) -> str:
    """Close a code fence that was left open, so that what follows is not taken for code."""
    open_fence = ""
    for line in text.splitlines():
        match = _FENCE.fullmatch(line)
        if match is None:
            continue
        fence, rest = match.groups()
        if not open_fence:
            # Backticks with more of them on the same line are inline code.
            open_fence = fence if fence[0] == "~" or "`" not in rest else ""
        elif fence[0] == open_fence[0] and len(fence) >= len(open_fence) and not rest.strip():
            open_fence = ""
    return f"{text.rstrip()}\n{open_fence}" if open_fence else text.rstrip()


def _front_matter(transcript: ConversationTranscript, branch: tuple[TranscriptMessage, ...]) -> str:
    # A JSON string is a YAML string as well.
    lines = ["---", f"title: {_quoted(title_text(transcript))}"]
    if transcript.created_at > 0:
        lines.append(f"date: {date_iso(transcript.created_at)}")
    if models := model_names(branch):
        lines.append(f"model: {_quoted(', '.join(models))}")
    return "\n".join((*lines, "---", ""))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _message(message: TranscriptMessage) -> str:
    parts = [f"## {escape_markdown(speaker_name(message))}"]
    parts += [_part(part, message) for part in shown_parts(message.message.parts)]
    if note := problem_text(message):
        parts.append(f"> **{escape_markdown(note)}**")
    return "\n\n".join(parts) + "\n"


def _part(part: ContentPart | ShownCall, message: TranscriptMessage) -> str:
    match part:
        case TextPart():
            return close_fences(part.text)
        case ReasoningPart():
            return _quote(f"**{reasoning_title(message)}**\n\n{close_fences(part.text)}")
        case ImagePart():
            return _image(part)
        case AudioPart():
            return _media(tr("Audio"), part)
        case VideoPart():
            return _media(tr("Video"), part)
        case DocumentPart():
            return _titled(
                tr("Attached file {name}:").format(name=escape_markdown(part.name)), code_block(part.text)
            )
        case PassagesPart():
            return _titled(tr("Passages") + ":", code_block("\n\n".join(passages_text(part))))
        case ShownCall():
            sections = (
                _titled(f"{escape_markdown(each.heading)}:", code_block(each.text, language=each.language))
                for each in part.sections
            )
            return "\n\n".join((*sections, *map(_image, part.images)))
        case _:
            assert_never(part)


def _media(kind: str, part: AudioPart | VideoPart) -> str:
    facts = (kind, escape_markdown(part.name), clock_time(part.seconds))
    return f"*[{', '.join(filter(None, facts))}]*"


def _image(part: ImagePart) -> str:
    return "*[" + tr("Image, {kind}").format(kind=part.media_type) + "]*"


def _titled(heading: str, block: str) -> str:
    return f"{heading}\n\n{block}"


def _quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
