"""One group of settings: a heading, a card, and what few people need folded away in it."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.settings.values import Group
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.settings.setting_row import RELOAD_NOTE, SettingRow
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import Label, plain_tooltip

_MORE_WORDS = {
    Group.SAMPLING: tr_noop("Advanced sampling"),
    Group.MODEL: tr_noop("Advanced load settings"),
}

_MORE = tr_noop("Advanced settings")


class GroupBox(QWidget):
    """Holds rows and says which of them are folded away; a search shows them all the same."""

    def __init__(self, group: Group, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._group = group
        self._has_advanced = False
        self.fold = Button("", theme=theme, kind="link", on_click=self._show_words)
        self.fold.setCheckable(True)
        self.fold.setAccessibleDescription(
            tr("Shows or hides advanced settings of “{group}”").format(group=tr(group))
        )
        self._line = boxed(row(self.fold, stretch(), margins=(SPACE_L, SPACE_S, SPACE_S, SPACE_S)))
        card = QFrame()
        card.setObjectName("card")
        self._rows = column(self._line, spacing=0, margins=SPACE_S, on=card)
        self.reload_mark = Label(tr("Requires reload"), role="badge")
        self.reload_mark.setToolTip(plain_tooltip(tr(RELOAD_NOTE)))
        if group is not Group.MODEL:
            self.reload_mark.hide()
        heading = row(Label(tr(group), role="heading"), self.reload_mark, stretch())
        column(heading, card, margins=(0, SPACE_M, 0, SPACE_S), on=self)
        self._show_words()

    @property
    def is_unfolded(self) -> bool:
        return self.fold.isChecked()

    def add(self, setting: SettingRow) -> None:
        """Put a row at the end: the usual ones first, the fold between, then the advanced ones."""
        if setting.definition.advanced:
            self._has_advanced = True
            self._rows.addWidget(setting)
        else:
            # The fold's line stands behind the last of these.
            self._rows.insertWidget(self._rows.indexOf(self._line), setting)

    def add_other(self, widget: QWidget) -> None:
        """Put something besides settings below the usual ones."""
        self._rows.insertWidget(self._rows.indexOf(self._line), widget)

    def unfold(self) -> None:
        """Show everything."""
        self.fold.setChecked(True)
        self._show_words()

    def show_fold(self, *, is_offered: bool) -> None:
        """Offer the fold, or take it away where it hides nothing that belongs here."""
        self._line.setVisible(is_offered and self._has_advanced)

    def _show_words(self) -> None:
        more = tr(_MORE_WORDS.get(self._group, _MORE))
        self.fold.setText(tr("Show less") if self.is_unfolded else more)
