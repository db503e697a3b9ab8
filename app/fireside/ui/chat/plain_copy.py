"""A message without its markup, for where Markdown is of no use."""

from __future__ import annotations

from PySide6.QtGui import QTextDocument

from fireside.ui.chat.json_text import reads_as_json
from fireside.ui.chat.markdown import Block, BlockKind, split_blocks
from fireside.ui.chat.message_item import Entry
from fireside.ui.chat.selected_text import last_position, text_between


def plain_words(entry: Entry) -> str:
    """Return what is read of a message, whether it is laid out or not. Formulas stay as they were written.

    GUI thread only.
    """
    if entry.is_user or reads_as_json(entry.text, is_whole=not entry.is_running):
        return entry.text
    document = QTextDocument()
    out: list[str] = []
    for block in split_blocks(entry.text):
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
