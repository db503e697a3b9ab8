"""The chat's part of the style sheet, the CSS of its text documents, and the column's width."""

from __future__ import annotations

from fireside.bridge.list_markers import LIST_CSS
from fireside.ui.theme import ColumnWidth, Theme, theme
from fireside.ui.theme.stylesheet import fill

_WIDEST = {ColumnWidth.NARROW: 760, ColumnWidth.WIDE: 1080, ColumnWidth.FULL: 100_000}
"""Maximal width of the column in pixels at the normal text size."""
COLUMN_MARGIN = 24
"""Minimal margin of the column at either side, in pixels."""


LINE_PERCENT = 124
"""Line height of what is typed, as ``_DOCUMENT`` has it for messages: a multiple of the font's own."""


def column_width(available: int) -> int:
    """Return the width of the column in a pane of ``available`` pixels."""
    return max(120, min(widest_column(), available - 2 * COLUMN_MARGIN))


def widest_column() -> int:
    """Return the maximal width of the column in pixels."""
    return theme().scaled(_WIDEST[theme().column_width])


def chat_qss(look: Theme) -> str:
    """Return the conversation's part of the application's style sheet."""
    return fill(_TRANSCRIPT + _COMPOSER + _EMPTY, look.tokens, scaled=look.scaled)


def document_css() -> str:
    """Return the style of Markdown text. Qt's line height multiplies the font's own: 124 % is 1.5 in CSS."""
    return fill(_DOCUMENT + LIST_CSS, theme().tokens, scaled=theme().scaled)


_TRANSCRIPT = """
#transcript, #transcriptView, #chatPane { background: $bg; border: 0; }
#answer, #question { background: transparent; border: 1px solid transparent; border-radius: 10px; }
#answer[ring="true"], #question[ring="true"] { border-color: $accent; }
#bubble {
  background: $user; border: 0; border-radius: 16px; border-bottom-right-radius: 5px;
}
#answer QTextBrowser, #question QTextBrowser { background: transparent; border: 0; padding: 0; }
#memoryLine { background: transparent; border: 0; }
#memoryWords { color: $mute; font-size: 12.5tx; }
#modelName { color: $text; font-weight: 600; }
#codeBlock { background: $code; border: 1px solid $line; border-radius: 11px; }
#codeHead {
  background: $code_head; border: 0; border-bottom: 1px solid $line;
  border-top-left-radius: 10px; border-top-right-radius: 10px;
}
#codeLanguage { color: $mute; font-size: 12tx; font-weight: 500; }
#copyCode {
  border: 1px solid transparent; background: transparent; color: $mute; font-size: 12tx;
  border-radius: 6px; padding: 2px 7px; font-weight: 400;
}
#codeButton { border: 1px solid transparent; background: transparent; border-radius: 6px; padding: 3px; }
#codeButton:hover { background: $hover; }
#codeButton:checked { background: $accent_soft; }
#codeButton[ring="true"] { border-color: $accent; }
#copyCode:hover { background: $hover; color: $text; }
#copyCode[ring="true"] { border-color: $accent; }
#thoughtHead {
  border: 1px solid transparent; background: transparent; color: $mute; padding: 2px 6px 2px 3px;
  font-size: 13tx; font-weight: 400; border-radius: 6px; text-align: left;
}
#thoughtHead:hover { color: $text; background: $hover; }
#thoughtHead[ring="true"] { border-color: $accent; }
#thoughtText { background: transparent; border: 0; padding: 0; color: $mute; }
#toolCard { background: $card2; border: 1px solid $line; border-radius: 11px; }
#toolLine { color: $dim; }
#resultPicture { background: $card; border: 1px solid $line; border-radius: 6px; padding: 0; }
#resultPicture[ring="true"] { border-color: $accent; }
#ruleLine { background: $line; }
#quoteBar { background: $edge; border: 0; border-radius: 1px; }
#statistics { color: $dim; font-size: 12tx; }
#noteCard { background: $card2; border: 1px solid $line; border-radius: 10px; }
#noteCard[tone="danger"] { background: $danger_soft; border-color: $danger; }
#noteCard[tone="warn"] { background: $warn_soft; border-color: $line; }
#noteText { color: $text2; }
#noteCard[tone="danger"] #noteText { color: $text; }
#progressWords { color: $mute; font-size: 13tx; }
QProgressBar#progressBar { background: $card2; border: 0; border-radius: 1px; }
QProgressBar#progressBar::chunk { background: $accent; border-radius: 1px; }
#showMore {
  border: 1px solid transparent; background: transparent; color: $accent; padding: 1px 3px;
  font-size: 12.5tx; border-radius: 6px;
}
#showMore:hover { text-decoration: underline; }
#showMore[ring="true"] { border-color: $accent; }
#actionRow { background: $bg; border: 0; }
#branchTree { background: $card; border: 1px solid $line; border-radius: 10px; padding: 4px; outline: 0; }
#branchTree[ring="true"] { border-color: $accent; }
#pinsButton {
  background: $card; border: 1px solid $edge; border-radius: 9px; padding: 3px 8px; color: $text2;
  font-size: 12tx;
}
#pinsButton:hover { background: $hover; }
#pinsButton[ring="true"] { border-color: $accent; }
#branchPlace { color: $mute; font-size: 12tx; }
#messageEditor { background: $card; border: 1px solid $accent; border-radius: 14px; }
#findBar { background: $card; border: 0; border-bottom: 1px solid $line; }
#findField { padding: 4px 9px; border-radius: 7px; }
#findField[missing="true"] { border-color: $danger; }
#findCount { color: $mute; font-size: 12.5tx; padding-left: 6px; }
#findBar QToolButton {
  border: 1px solid transparent; border-radius: 6px; padding: 4px; background: transparent;
}
#findBar QToolButton:hover { background: $hover; }
#findBar QToolButton:checked { background: $accent_soft; border-color: $accent; }
#findBar QToolButton[ring="true"] { border-color: $accent; }
#jumpToLatest {
  background: $card; border: 1px solid $edge; border-radius: 17px; padding: 0;
}
#jumpToLatest:hover { background: $hover; }
#jumpToLatest[ring="true"] { border-color: $accent; }
"""

_COMPOSER = """
#composer { background: $card; border: 1px solid $line; border-radius: 18px; }
#composer[temporary="true"] { border: 1px dashed $mute; }
#composer[active="true"] { border-color: $accent; }
#composerText {
  background: transparent; border: 0; padding: 0; color: $text; font-size: 15tx;
  selection-background-color: $accent; selection-color: $on_accent;
}
#attachmentChip { background: $card2; border: 1px solid $line; border-radius: 11px; }
#attachmentChip[ring="true"] { border-color: $accent; }
#playSound { background: $hover; border: 1px solid transparent; border-radius: 7px; padding: 0; }
#playSound:hover { background: $selected; }
#playSound[ring="true"] { border-color: $accent; }
#attachmentName { color: $text; font-size: 13tx; }
#attachmentFacts { color: $mute; font-size: 12tx; }
#attachmentChip[tone="danger"] #attachmentFacts { color: $danger; }
#attachmentChip[tone="warn"] #attachmentFacts { color: $warn; }
#waitingBubble { background: $user; border: 1px dashed $edge; border-radius: 13px; }
#waitingText { color: $text2; }
#waitingScroll, #waitingBody { background: transparent; border: 0; }
#chatChip { background: $card2; border: 1px solid $line; border-radius: 9px; }
#composerNote { color: $mute; font-size: 12.5tx; }
#contextMeter { background: transparent; border: 1px solid transparent; border-radius: 7px; padding: 0; }
#contextMeter:hover { background: $hover; }
#contextMeter[ring="true"] { border-color: $accent; }
#contextWords { color: $dim; font-size: 12tx; }
#contextWords[tone="warn"] { color: $warn; }
#send { background: $accent; border: 2px solid transparent; border-radius: 10px; padding: 6px; }
#send:hover { background: $accent_hover; }
#send:disabled { background: $card2; }
#send[ring="true"] { border-color: $text; }
#paneNotice { background: $danger_soft; border: 1px solid $danger; border-radius: 10px; }
"""

_EMPTY = """
#emptyTitle { font-size: 24tx; font-weight: 700; color: $text; }
#emptyText { color: $mute; font-size: 14tx; }
#example {
  background: $card; border: 1px solid $line; border-radius: 12px; padding: 12px 14px; text-align: left;
  color: $text2; font-weight: 400;
}
#example:hover { background: $hover; border-color: $edge; color: $text; }
#example[ring="true"] { border-color: $accent; }
#example:disabled { color: $dim; }
"""

_DOCUMENT = """
p { margin: 0 0 10tx 0; line-height: 124%; }
p.plain { margin: 0; line-height: 124%; }
p.formula { margin: 0; }
p.footnote { margin: 0 0 5tx 0; color: $text2; font-size: 13.5tx; }
sup.note { font-size: 11.5tx; color: $accent; }
mark { background: $found; color: $text; }
span.unsupported { color: $danger; text-decoration: line-through; }
p.language { margin: 0; color: $mute; font-size: 12tx; }
p.rule { color: $dim; }
ul, ol { margin: 0 0 10tx 0; }
li ul, li ol { margin: 0; }
li { margin: 0 0 4tx 0; line-height: 124%; }
p.h1, p.h2, p.h3, p.h4, p.h5, p.h6 { font-weight: 700; line-height: 112%; }
p.h1 { font-size: 22tx; margin: 22tx 0 8tx 0; }
p.h2 { font-size: 19tx; margin: 20tx 0 7tx 0; }
p.h3 { font-size: 17tx; margin: 18tx 0 6tx 0; }
p.h4, p.h5, p.h6 { font-size: 15tx; margin: 14tx 0 5tx 0; }
code, kbd { font-family: 'JetBrains Mono'; font-size: 13.5tx; background: $card2; color: $text; }
p.h1 code { font-size: 20tx; }
p.h2 code { font-size: 17tx; }
p.h3 code { font-size: 15.5tx; }
pre {
  font-family: 'JetBrains Mono'; font-size: 12.5tx; background: $code; margin: 0; line-height: 120%;
}
blockquote { margin: 0 0 4px 14px; color: $text2; }
p.alert-note, p.alert-important, p.alert-tip, p.alert-warning, p.alert-caution {
  margin: 0 0 4px 0; font-weight: 700;
}
p.alert-note, p.alert-important { color: $accent; }
p.alert-tip { color: $ok; }
p.alert-warning { color: $warn; }
p.alert-caution { color: $danger; }
a { color: $accent; text-decoration: none; }
i { font-style: italic; }
td, th { line-height: 124%; }
th { color: $mute; font-weight: 600; }
"""
