"""Copy messages as plain text without markup, or as HTML for other programs."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication

from fireside.bridge.rich_document import reads_from_right
from fireside.markup.block_stream import Block, BlockKind, split_blocks
from fireside.markup.direction import with_directions
from fireside.markup.escape import escape
from fireside.markup.rich_text import NO_TEXT
from fireside.ui.chat.answer.formulas import Formulas
from fireside.ui.chat.answer.json_text import reads_as_json
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.transcript.selected_text import last_position, text_between

_HEADING: Final = re.compile(r'<p class="(h[1-6])">(.*?)</p>')
_BOXES: Final = {'<li class="checked">': "<li>☑ ", '<li class="unchecked">': "<li>☐ "}


def copy_formatted(text: str) -> None:
    """Copy Markdown to the clipboard as HTML and as plain text. GUI thread only."""
    data = QMimeData()
    data.setHtml(markdown_to_html(text))
    data.setText(markdown_to_text(text))
    QApplication.clipboard().setMimeData(data)


def markdown_to_html(text: str) -> str:
    """Return Markdown as unstyled HTML for word processors and mail programs."""
    out: list[str] = []
    for block in split_blocks(text):
        closing = "</blockquote>" * block.quotes
        if block.continues and out:
            end = f"</table>{closing}"
            out[-1] = f"{out[-1].removesuffix(end)}{_rows(block)}{end}"
        elif block.continues_quote and out:
            quoted = _formatted(block).removeprefix("<blockquote>")
            out[-1] = f"{out[-1].removesuffix('</blockquote>')}\n{quoted}"
        else:
            out.append(_formatted(block))
    html = Formulas.with_sources("\n".join(out))
    for own, usual in _BOXES.items():
        html = html.replace(own, usual)
    html = _HEADING.sub(r"<\1>\2</\1>", html.replace(f"<li>{NO_TEXT}", "<li>"))
    return with_directions(html)


def _formatted(block: Block) -> str:
    match block.kind:
        case BlockKind.RULE:
            return "<hr>"
        case BlockKind.CODE:
            return f"<pre><code>{escape(block.body, quote=False)}</code></pre>"
        case BlockKind.TABLE:
            table = f'<table border="1" cellpadding="4" cellspacing="0">{_rows(block)}</table>'
            return f"{'<blockquote>' * block.quotes}{table}{'</blockquote>' * block.quotes}"
        case BlockKind.QUOTE:
            return f"<blockquote>{block.body}</blockquote>"
        case BlockKind.MATH:
            return f"<p>{block.body}</p>"
        case BlockKind.PROSE:
            return block.body


def _rows(block: Block) -> str:
    rows = block.body
    return rows.replace(' align="left"', ' align="right"') if reads_from_right(rows) else rows


def message_plain_text(entry: Entry) -> str:
    """Return the text of a message without markup, laid out or not; formulas as their source.

    GUI thread only.
    """
    if entry.is_user or reads_as_json(entry.text, is_whole=not entry.is_running):
        return entry.text
    return markdown_to_text(entry.text)


def markdown_to_text(text: str) -> str:
    """Return the displayed text of Markdown. GUI thread only: Qt lays it out."""
    document = QTextDocument()
    out: list[str] = []
    for block in split_blocks(text):
        part = _plain(block, document)
        if block.continues and out:
            out[-1] += f"\n{part}"
        elif part:
            out.append(part)
    return "\n\n".join(out)


def _plain(block: Block, document: QTextDocument) -> str:
    if block.kind is BlockKind.RULE:
        return ""
    if block.kind is BlockKind.CODE:
        return block.body
    document.setHtml(f"<table>{block.body}</table>" if block.kind is BlockKind.TABLE else block.body)
    return text_between(document, 0, last_position(document)).strip("\n")
