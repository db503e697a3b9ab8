"""Write the branch that is shown for paper: the small HTML that Qt's rich text understands."""

from __future__ import annotations

from html import escape
from typing import Final, assert_never

from fireside.core.i18n import tr
from fireside.core.message import (
    DocumentPart,
    ImagePart,
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.transfer import PrintedPage
from fireside.services.transfer.export_text import (
    date_words,
    is_unreadable,
    models_of,
    thought_words,
    title_words,
    who,
)
from fireside.services.transfer.html_page import note_of, picture
from fireside.services.transfer.markdown_html import MarkdownHtml
from fireside.services.transfer.page_style import LIGHT_CODE
from fireside.storage.transcripts import Transcript, TranscriptMessage

# Qt takes margins in pixels alone. Paper is white whatever the window is. Lines of code wrap: nothing may be
# cut off at the edge.
_STYLE: Final = """
body { font-size: 10pt; }
h1 { font-size: 18pt; margin: 0 0 3px 0; }
p.facts { color: #5d5d6b; font-size: 8.5pt; margin: 0 0 19px 0; }
p.who { color: #5d5d6b; font-size: 9pt; font-weight: 600; margin: 16px 0 4px 0; }
p.typed { white-space: pre-wrap; margin: 0; }
p { margin: 0 0 8px 0; line-height: 130%; }
li { margin: 0 0 3px 0; line-height: 130%; }
p.language { color: #5d5d6b; font-size: 8pt; margin: 5px 0 0 0; }
pre { font-family: 'JetBrains Mono'; font-size: 8.5pt; white-space: pre-wrap; background: #f6f6f9;
  line-height: 120%; margin: 3px 0 8px 0; }
code { font-family: 'JetBrains Mono'; font-size: 8.5pt; }
blockquote { color: #5d5d6b; }
a { color: #3f48d6; text-decoration: none; }
th { color: #5d5d6b; }
p.note { color: #8a4b00; }
p.picture { line-height: 100%; }
"""


def as_printed(transcript: Transcript) -> PrintedPage:
    """Return the conversation ready for paper."""
    branch = transcript.branch()
    writer = MarkdownHtml(colours=LIGHT_CODE)
    title = title_words(transcript)
    facts = " · ".join(filter(None, (date_words(transcript.created_at), *models_of(branch))))
    body = "".join(_message(message, writer) for message in branch)
    return PrintedPage(
        title=title,
        html=(
            f"<html><head><style>{_STYLE}</style></head><body><h1>{escape(title)}</h1>"
            f'<p class="facts">{escape(facts)}</p>{body}</body></html>'
        ),
        n_unreadable=sum(map(is_unreadable, branch)),
    )


def _message(message: TranscriptMessage, writer: MarkdownHtml) -> str:
    body = "".join(_part(part, message, writer) for part in message.message.parts)
    return f'<p class="who">{escape(who(message))}</p>{body}{note_of(message)}'


def _part(part: MessagePart, message: TranscriptMessage, writer: MarkdownHtml) -> str:
    match part:
        case TextPart() if message.message.role is Role.USER:
            return f'<p class="typed">{escape(part.text)}</p>'
        case TextPart():
            return _spaced(writer.render(part.text))
        case ReasoningPart():
            words = escape(thought_words(message))
            return f"<blockquote><p><b>{words}</b></p>{_spaced(writer.render(part.text))}</blockquote>"
        case ImagePart():
            return picture(part)
        case DocumentPart():
            return f"<p><b>{escape(part.name)}</b></p><pre>{escape(part.text)}</pre>"
        case ToolCallPart():
            asks = tr("Calls tool {name}").format(name=escape(part.name))
            return f"<p>{asks}</p><pre>{escape(part.arguments)}</pre>"
        case ToolResultPart():
            answered = tr("Result of {name}").format(name=escape(part.name))
            return f"<p>{answered}</p><pre>{escape(part.text)}</pre>"
        case _:
            assert_never(part)


def _spaced(html: str) -> str:
    """Give the cells of tables room. No “<” of a model's own is in ``html``, so each one found is a tag."""
    return html.replace("<table>", '<table cellspacing="0" cellpadding="4">')
