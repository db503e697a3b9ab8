"""One tool on the tools page: its name, what it does, and whether models may call it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.tools import Permission
from fireside.ui.kit.layout import boxed, column, in_middle, row, stretch
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.segmented_control import SegmentedControl
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel, plain_tooltip

CHOICE_LABELS: Final = {
    Permission.NEVER: tr_noop("Off"),
    Permission.ASK: tr_noop("Ask"),
    Permission.ALWAYS: tr_noop("Always"),
}
_CHOICE_HELP: Final = {
    Permission.NEVER: tr_noop("Models are not offered this tool."),
    Permission.ASK: tr_noop("Models may call this tool; each call asks you first."),
    Permission.ALWAYS: tr_noop(
        "Models may call this tool without asking, unless the call could send your data away."
    ),
}
_MIN_TEXT_WIDTH: Final = 220


class ToolRow(QWidget):
    """Reports the user's choice. “Always” cannot be chosen for a tool of which each call is asked about."""

    def __init__(
        self,
        name: str,
        about: str,
        *,
        note: str = "",
        can_always: bool,
        on_chosen: Callable[[Permission], object],
        attempt: Button | None = None,
        below: QWidget | None = None,
    ) -> None:
        """``note`` stands beside the name; ``attempt`` beside the choice; ``below`` under both."""
        super().__init__()
        self._texts = (name, about)
        self.label = ElidedLabel(name)
        self.about = WrappedLabel(about, role="small")
        self.about.setVisible(bool(about))
        self.choice = SegmentedControl(
            [(choice.value, tr(label)) for choice, label in CHOICE_LABELS.items()], name=name
        )
        for choice, text in _CHOICE_HELP.items():
            self.choice.button(choice.value).setToolTip(plain_tooltip(tr(text)))
        if not can_always:
            always = self.choice.button(Permission.ALWAYS.value)
            always.setEnabled(False)
            always.setToolTip(plain_tooltip(tr("Each call of this tool shows you first what it would do.")))
        self.choice.key_selected.connect(lambda key: on_chosen(Permission(key)))
        head = row(self.label, in_middle(ElidedLabel(note, role="small")) if note else None, stretch())
        texts = boxed(column(head, self.about, spacing=2))
        decision = boxed(row(attempt, self.choice, spacing=SPACE_S))
        line = ResponsiveRow(texts, decision, min_first_width=_MIN_TEXT_WIDTH, spacing=SPACE_M)
        column(line, below, spacing=SPACE_XS, margins=(0, SPACE_S), on=self)

    def show_choice(self, choice: Permission, *, is_locked: bool = False) -> None:
        """Show the choice in force; it cannot be changed where another layer of the settings decides."""
        self.choice.select(choice.value)
        self.choice.setEnabled(not is_locked)

    def matches(self, text: str) -> bool:
        """Whether the texts of the row contain every word of ``text``."""
        texts = " ".join(self._texts).casefold()
        return all(word in texts for word in text.casefold().split())
