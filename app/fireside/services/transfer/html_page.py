"""Export the active branch as one self-contained HTML page: no script, no external resource."""

from __future__ import annotations

import base64
from html import escape
from typing import Final, assert_never

from fireside.core.i18n import language_code, tr
from fireside.core.message import (
    ContentPart,
    DocumentPart,
    ImagePart,
    PassagesPart,
    ReasoningPart,
    Role,
    TextPart,
)
from fireside.core.tool_calls import ShownCall, shown_parts
from fireside.services.transfer.export_text import (
    date_text,
    model_names,
    passages_text,
    problem_text,
    reasoning_title,
    speaker_name,
    title_text,
)
from fireside.services.transfer.formula_html import FormulaHtml
from fireside.services.transfer.markdown_html import MarkdownHtml
from fireside.services.transfer.page_style import page_style
from fireside.storage.transcripts import Transcript, TranscriptMessage

# In case of an escaping bug, the browser is told to fetch and run nothing.
_POLICY: Final = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_IMAGE_TYPES: Final = frozenset({"image/png", "image/jpeg"})


def html_page(transcript: Transcript) -> str:
    """Return the HTML file, which follows the reader's light or dark mode."""
    title = escape(title_text(transcript))
    branch = transcript.branch()
    writer = MarkdownHtml(formulas=FormulaHtml())
    facts = (date_text(transcript.created_at), *model_names(branch))
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
    body = "".join(_part(part, message, writer) for part in shown_parts(message.message.parts))
    return (
        f'<article class="{role.value}">\n<h2>{escape(speaker_name(message))}</h2>\n'
        f'<div class="body" dir="auto">{body}{status_text(message)}</div>\n</article>\n'
    )


def _part(part: ContentPart | ShownCall, message: TranscriptMessage, writer: MarkdownHtml) -> str:
    match part:
        case TextPart() if message.message.role is Role.USER:
            return f'<p class="typed">{escape(part.text)}</p>'
        case TextPart():
            return writer.render(part.text)
        case ReasoningPart():
            title = escape(reasoning_title(message))
            return f"<details><summary>{title}</summary>{writer.render(part.text)}</details>"
        case ImagePart():
            return image_html(part)
        case DocumentPart():
            return f"<details><summary>{escape(part.name)}</summary><pre>{escape(part.text)}</pre></details>"
        case PassagesPart():
            passages = "\n\n".join(passages_text(part))
            title = escape(tr("Passages"))
            return f"<details><summary>{title}</summary><pre>{escape(passages)}</pre></details>"
        case ShownCall():
            return _call(part, writer)
        case _:
            assert_never(part)


def _call(call: ShownCall, writer: MarkdownHtml) -> str:
    sections = "".join(
        f"<p>{escape(each.heading)}</p>"
        f"<pre><code>{writer.coloured(each.text, language=each.language)}</code></pre>"
        for each in call.sections
    )
    return sections + "".join(map(image_html, call.images))


def status_text(message: TranscriptMessage) -> str:
    """Return a message's status besides its parts: that it was stopped, or failed."""
    note = problem_text(message)
    return f'<p class="note">{escape(note)}</p>' if note else ""


def image_html(part: ImagePart) -> str:
    """Return an image with its data embedded."""
    if part.media_type not in _IMAGE_TYPES:
        unknown = tr("image of unknown type")
        return f"<p><em>[{unknown}]</em></p>"
    alt = escape(part.name or tr("Image"))
    data = base64.b64encode(part.data).decode()
    return f'<p class="picture"><img alt="{alt}" src="data:{part.media_type};base64,{data}"></p>'
