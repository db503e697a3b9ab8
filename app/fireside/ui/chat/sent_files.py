"""The files of a message that was sent, as chips above its words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.core.message import AttachedPart, ImagePart
from fireside.ui.chat.attachment_chip import AttachmentChip, ChipFacts
from fireside.ui.chat.attachment_sheet import AttachmentSheet
from fireside.ui.chat.attachment_text import sent_facts_of
from fireside.ui.theme import SPACE_S, Theme


class SentFiles(QWidget):
    """Lines of chips that end at the right; a click shows what the model was given."""

    def __init__(self, parts: Sequence[AttachedPart], *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._parts = tuple(parts)
        self._theme = theme
        self.chips: list[AttachmentChip] = []
        self._make()

    def height_for(self, width: int) -> int:
        """Lay out for ``width`` pixels and return the height."""
        if not self.chips:
            return 0
        lines: list[list[AttachmentChip]] = [[]]
        for chip in self.chips:
            if lines[-1] and _width(lines[-1]) + SPACE_S + chip.width() > width:
                lines.append([])
            lines[-1].append(chip)
        y = 0
        for line in lines:
            x = max(0, width - _width(line))
            for chip in line:
                chip.move(x, y)
                x += chip.width() + SPACE_S
            y += line[0].height() + SPACE_S
        return y - SPACE_S

    def restyle(self) -> None:
        """The theme changed."""
        for chip in self.chips:
            chip.hide()
            chip.deleteLater()
        self._make()

    @property
    def names(self) -> str:
        return ", ".join(chip.facts.name for chip in self.chips)

    def _make(self) -> None:
        self.chips = [self._chip(part) for part in self._parts]

    def _chip(self, part: AttachedPart) -> AttachmentChip:
        picture = part.data if isinstance(part, ImagePart) else None
        facts = ChipFacts(
            name=part.name or tr("Image"), line=sent_facts_of(part), picture=picture, can_open=True
        )
        chip = AttachmentChip(facts, theme=self._theme, can_remove=False, parent=self)
        chip.opened.connect(lambda: AttachmentSheet(part, theme=self._theme, parent=self.window()).open())
        chip.show()
        return chip


def _width(line: Sequence[AttachmentChip]) -> int:
    return sum(chip.width() for chip in line) + SPACE_S * (len(line) - 1)
