"""Write the branch that is shown as one HTML page that needs nothing else: no script, nothing fetched."""

from __future__ import annotations

import base64
from html import escape
from typing import Final, assert_never

from fireside.core.i18n import language_code, tr
from fireside.core.message import (
    DocumentPart,
    ImagePart,
    MessagePart,
    PassagesPart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.services.transfer.export_text import (
    date_words,
    models_of,
    note_words,
    passages_text,
    thought_words,
    title_words,
    who,
)
from fireside.services.transfer.formula_html import FormulaHtml
from fireside.services.transfer.markdown_html import MarkdownHtml
from fireside.services.transfer.page_style import page_style
from fireside.storage.transcripts import Transcript, TranscriptMessage

# Should the escaping ever have a hole, the browser is told to fetch and run nothing.
_POLICY: Final = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_PICTURES: Final = frozenset({"image/png", "image/jpeg"})


def as_page(transcript: Transcript) -> str:
    """Return the text of an HTML file, light or dark as the reader's system is."""
    title = escape(title_words(transcript))
    branch = transcript.branch()
    writer = MarkdownHtml(formulas=FormulaHtml())
    facts = (date_words(transcript.created_at), *models_of(branch))
    return f"""<!DOCTYPE html>
<html lang="{language_code().replace("_", "-")}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Fireside">
<title>{title}</title>
<style>{page_style()}</style>
</head>
<body>
<main>
<header><h1 dir="auto">{title}</h1><p class="facts">{escape(" · ".join(filter(None, facts)))}</p></header>
{"".join(_message(message, writer) for message in branch)}</main>
</body>
</html>
"""


def _message(message: TranscriptMessage, writer: MarkdownHtml) -> str:
    role = message.message.role
    body = "".join(_part(part, message, writer) for part in message.message.parts)
    return (
        f'<article class="{role.value}">\n<h2>{escape(who(message))}</h2>\n'
        f'<div class="body" dir="auto">{body}{note_of(message)}</div>\n</article>\n'
    )


def _part(part: MessagePart, message: TranscriptMessage, writer: MarkdownHtml) -> str:
    match part:
        case TextPart() if message.message.role is Role.USER:
            return f'<p class="typed">{escape(part.text)}</p>'
        case TextPart():
            return writer.render(part.text)
        case ReasoningPart():
            words = escape(thought_words(message))
            return f"<details><summary>{words}</summary>{writer.render(part.text)}</details>"
        case ImagePart():
            return picture(part)
        case DocumentPart():
            return f"<details><summary>{escape(part.name)}</summary><pre>{escape(part.text)}</pre></details>"
        case PassagesPart():
            told = "\n\n".join(passages_text(part))
            title = escape(tr("Passages"))
            return f"<details><summary>{title}</summary><pre>{escape(told)}</pre></details>"
        case ToolCallPart():
            asked = writer.coloured(part.arguments, language="json")
            name = f"<code>{escape(part.name)}</code>"
            asks = tr("Calls tool {name}").format(name=name)
            return f"<p>{asks}</p><pre><code>{asked}</code></pre>"
        case ToolResultPart():
            answered = tr("Result of {name}").format(name=f"<code>{escape(part.name)}</code>")
            return f"<p>{answered}</p><pre>{escape(part.text)}</pre>"
        case _:
            assert_never(part)


def note_of(message: TranscriptMessage) -> str:
    """Return what is to be said of a message besides its parts: that it was stopped, or failed."""
    note = note_words(message)
    return f'<p class="note">{escape(note)}</p>' if note else ""


def picture(part: ImagePart) -> str:
    """Return a picture with its data in it."""
    if part.media_type not in _PICTURES:
        unknown = tr("image of unknown type")
        return f"<p><em>[{unknown}]</em></p>"
    alt = escape(tr("Image"))
    data = base64.b64encode(part.data).decode()
    return f'<p class="picture"><img alt="{alt}" src="data:{part.media_type};base64,{data}"></p>'
