"""Fonts, text formats, lexers and formulas that all parts of the transcript draw with, from the theme."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from PySide6.QtGui import QColor, QFont, QImage, QTextCharFormat, QTextFormat

from fireside.bridge.list_markers import MarkerColours, gutter_width
from fireside.ui.chat.answer.formulas import Formulas
from fireside.ui.chat.answer.highlight import Lexers, TokenType
from fireside.ui.chat.style import document_css
from fireside.ui.theme import MESSAGE_PX, theme

_LIST_INDENT: Final = 22
_TOKEN: Final = QTextFormat.Property.UserProperty.value
"""Property of a code format that holds the name of its token type."""


class TranscriptStyle:
    """Formats of one colour scheme, computed lazily; replaced when the theme changes. GUI thread only."""

    def __init__(
        self, lexers: Lexers, formulas: Formulas | None = None, *, wrapped: set[str] | None = None
    ) -> None:
        """Without ``formulas``, the source of formulas is shown."""
        self.lexers = lexers
        self.formulas = formulas
        self.wrapped: set[str] = set() if wrapped is None else wrapped
        """Beginnings of code blocks that the user has wrapped; one set for all schemes."""
        self.code_colours = theme().tokens.pygments_style
        """Name of the scheme's Pygments style; the same name means the same code formats."""
        self._code_formats: dict[TokenType, QTextCharFormat] = {}

    @cached_property
    def css(self) -> str:
        return document_css()

    @cached_property
    def markers(self) -> MarkerColours:
        """Colours of the bullets and boxes of lists."""
        tokens = theme().tokens
        return MarkerColours(bullet=tokens.text, edge=tokens.mute, fill=tokens.accent, tick=tokens.on_accent)

    @cached_property
    def text_font(self) -> QFont:
        return theme().ui_font(MESSAGE_PX)

    @cached_property
    def code_font(self) -> QFont:
        return theme().mono_font(13)

    @cached_property
    def list_indent(self) -> int:
        """Pixels that a list moves its text to the right, if no number needs more."""
        return theme().scaled_up(_LIST_INDENT)

    def item_indent(self, number: int) -> int:
        """Pixels that a list moves its text to the right whose widest number is ``number``."""
        return max(self.list_indent, gutter_width(number, self.text_font))

    @cached_property
    def selection_format(self) -> QTextCharFormat:
        """Format of selected text."""
        text_format = QTextCharFormat()
        colour = theme().colour("accent")
        colour.setAlpha(90)
        text_format.setBackground(colour)
        return text_format

    def with_formulas(self, html: str) -> str:
        """Return ``html`` with the formulas that have been drawn, and the source of others."""
        if self.formulas is None:
            return Formulas.with_sources(html)
        return self.formulas.insert_formulas(html, font=self.text_font)

    def formula_image(self, name: str, *, ratio: float) -> QImage | None:
        """Return the image of a formula in this scheme's colour; ``None`` until it is drawn."""
        if self.formulas is None:
            return None
        colour = theme().colour("text").name()
        return self.formulas.image(name, font=self.text_font, colour=colour, ratio=ratio)

    @cached_property
    def match_format(self) -> QTextCharFormat:
        """Format of a search match."""
        text_format = QTextCharFormat()
        text_format.setBackground(theme().colour("found"))
        text_format.setForeground(theme().colour("text"))
        return text_format

    @cached_property
    def current_match_format(self) -> QTextCharFormat:
        """Format of the current search match."""
        text_format = QTextCharFormat()
        text_format.setBackground(theme().colour("found_here"))
        text_format.setForeground(theme().colour("on_found_here"))
        text_format.setFontUnderline(True)
        return text_format

    def code_format(self, token_type: TokenType) -> QTextCharFormat:
        """Return the format of a Pygments token type in this scheme's style."""
        text_format = self._code_formats.get(token_type)
        if text_format is None:
            from fireside.markup.code_colours import code_style

            style = code_style(self.code_colours).style_for_token(token_type)
            text_format = QTextCharFormat()
            text_format.setProperty(_TOKEN, str(token_type))
            if style["color"]:
                text_format.setForeground(QColor(f"#{style['color']}"))
            if style["bold"]:
                text_format.setFontWeight(QFont.Weight.Bold)
            if style["italic"]:
                text_format.setFontItalic(True)
            self._code_formats[token_type] = text_format
        return text_format

    def recoloured(self, other: QTextCharFormat) -> QTextCharFormat:
        """Return this scheme's format for the token type of ``other``, a format of another scheme."""
        from pygments.token import string_to_tokentype

        return self.code_format(string_to_tokentype(other.stringProperty(_TOKEN)))
