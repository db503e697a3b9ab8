"""Syntax colours of a code block, set in time slices so that long or hostile text cannot block the GUI."""

from __future__ import annotations

import time
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QTextDocument, QTextLayout

from fireside.ui.chat.answer.highlight import Run, TokenType, runs, tail_start
from fireside.ui.chat.answer.transcript_style import TranscriptStyle

_TAIL_LINES = 15
"""Last lines, recoloured with each addition; the whole text is coloured once the block is complete."""
_SLICE_S = 0.008
_LEXER_POLL_MS = 40
_MAX_RECOLOURED = 10_000
"""Characters that are recoloured at once for another scheme; longer code is lexed again in slices."""


class CodeColouring(QObject):
    """Colours one document. GUI thread only; a lexer's first use loads it in a thread."""

    def __init__(self, document: QTextDocument, style: TranscriptStyle, *, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._style = style
        self._source = ""
        self._language = ""
        self._is_whole = True
        self._runs: Iterator[Run] = iter(())
        self._line = 0
        self._line_formats: list[QTextLayout.FormatRange] = []
        self._slice_timer = QTimer(self, interval=0)
        self._slice_timer.timeout.connect(self._colour_slice)
        self._lexer_timer = QTimer(self, singleShot=True, interval=_LEXER_POLL_MS)
        self._lexer_timer.timeout.connect(self._colour_all)

    def colour_all(self, source: str, *, language: str, style: TranscriptStyle) -> None:
        """Colour the whole document, whose text is ``source``."""
        self._source, self._language, self._style = source, language, style
        self._colour_all()

    def colour_tail(self, source: str, *, language: str) -> None:
        """Colour the last lines: ``source`` is the previous source with text appended."""
        self._source, self._language, self._is_whole = source, language, False
        start, line = tail_start(source, n_lines=_TAIL_LINES)
        self._start(source[start:], first_line=line)

    def finish(self) -> None:
        """Colour the whole text: a token may depend on a line far above it."""
        if not self._is_whole:
            self._colour_all()

    def restyle(self, style: TranscriptStyle) -> None:
        """Apply another scheme's colours. The tokens are the same, so short code is not lexed again."""
        before, self._style = self._style, style
        if style.code_colours == before.code_colours:
            return
        is_busy = self._slice_timer.isActive() or self._lexer_timer.isActive()
        if is_busy or len(self._source) > _MAX_RECOLOURED:
            self._document.size()  # a part that is changed before all is laid out would be all that is
            self._colour_all()
            return
        block = self._document.begin()
        while block.isValid():
            formats = block.layout().formats()
            for each in formats:
                each.format = style.recoloured(each.format)
            block.layout().setFormats(formats)
            block = block.next()
        self._document.markContentsDirty(0, self._document.characterCount())

    def _colour_all(self) -> None:
        self._is_whole = True
        self._start(self._source, first_line=0)

    def _start(self, text: str, *, first_line: int) -> None:
        lexers = self._style.lexers
        has_split_lines = self._document.blockCount() != self._source.count("\n") + 1
        if not lexers.knows(self._language) or has_split_lines:
            return
        lexer = lexers.get(self._language)
        if lexer is None:
            self._is_whole = False
            self._lexer_timer.start()
            return
        self._runs = runs(text, lexer, first_line=first_line)
        self._line, self._line_formats = first_line, []
        self._colour_slice()

    def _colour_slice(self) -> None:
        """Colour lines until the time is up; the rest follows in later event loop iterations."""
        deadline = time.perf_counter() + _SLICE_S
        first, done = self._line, False
        for line, column, length, token_type in self._runs:
            if line != self._line:
                self._set_formats()
                self._line, self._line_formats = line, []
            self._line_formats.append(self._range(column, length, token_type))
            if time.perf_counter() > deadline:
                break
        else:
            done = True
            self._set_formats()
        self._relayout(first, self._line)
        if done:
            self._slice_timer.stop()
        else:
            self._slice_timer.start()

    def _range(self, column: int, length: int, token_type: TokenType) -> QTextLayout.FormatRange:
        format_range = QTextLayout.FormatRange()
        format_range.start, format_range.length = column, length
        format_range.format = self._style.code_format(token_type)
        return format_range

    def _set_formats(self) -> None:
        block = self._document.findBlockByNumber(self._line)
        if block.isValid():
            block.layout().setFormats(self._line_formats)

    def _relayout(self, first: int, last: int) -> None:
        begin, end = self._document.findBlockByNumber(first), self._document.findBlockByNumber(last)
        if begin.isValid() and end.isValid():
            until = end.position() + end.length()
            self._document.markContentsDirty(begin.position(), until - begin.position())
