"""One group of settings: a heading and a card, with advanced settings collapsed.

A row is made when it is first in view: a page of them takes a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.settings.values import Group, SettingDefinition
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.settings.setting_row import RELOAD_NOTE, SettingRow
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import Label, plain_tooltip

_EXPAND_LABELS = {
    Group.SAMPLING: tr_noop("Advanced sampling"),
    Group.MODEL: tr_noop("Advanced load settings"),
}

_EXPAND_LABEL = tr_noop("Advanced settings")
_ROW_PX: Final = 74
"""Approximate height of a row."""
_HEADING_PX: Final = 72


class GroupBox(QWidget):
    """Holds the rows of a group, of which advanced ones are collapsed; a search shows them all."""

    def __init__(
        self,
        group: Group,
        definitions: Sequence[SettingDefinition],
        *,
        make: Callable[[SettingDefinition], SettingRow],
    ) -> None:
        """``make`` creates the row of one of ``definitions``, which are in the order of the rows."""
        super().__init__()
        self._group = group
        self._definitions = {definition.key: definition for definition in definitions}
        self._make = make
        self.rows: dict[str, SettingRow] = {}
        """The rows created so far, by key."""
        self.matching: frozenset[str] = frozenset()
        """Keys of the settings to show once the group is in view."""
        self.fold = Button("", kind="link", on_click=self._update_fold_label)
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
        self._update_fold_label()

    @property
    def is_unfolded(self) -> bool:
        return self.fold.isChecked()

    @property
    def is_complete(self) -> bool:
        """Whether every row to show has been created."""
        return self.matching <= self.rows.keys()

    @property
    def tab_stops(self) -> Iterator[QWidget]:
        """The widgets of the group in Tab order."""
        for index in range(self._rows.count()):
            item = self._rows.itemAt(index)
            if item is not None and (widget := item.widget()) is not None:
                for child in widget.findChildren(QWidget):
                    takes_focus = child.focusPolicy() & Qt.FocusPolicy.TabFocus
                    # A drop-down list is a window of its own.
                    if takes_focus and child.focusProxy() is None and child.window() is self.window():
                        yield child

    def row(self, key: str) -> SettingRow:
        """Return the row of a setting; creates it if needed."""
        if key not in self.rows:
            row = self._make(self._definitions[key])
            self._rows.insertWidget(self._insert_position(key), row)
            row.setVisible(key in self.matching)
            self.rows[key] = row
        return self.rows[key]

    def show_matching(self, matching: AbstractSet[str], *, is_searching: bool) -> bool:
        """Show those of ``matching`` that are not collapsed. Return whether any belongs to this group."""
        own_definitions = {
            key: definition for key, definition in self._definitions.items() if key in matching
        }
        folded = frozenset(
            key for key, definition in own_definitions.items() if definition.advanced and not is_searching
        )
        self._line.setVisible(bool(folded))
        self.matching = frozenset(own_definitions) - (frozenset() if self.is_unfolded else folded)
        for key, setting_row in self.rows.items():
            setting_row.setVisible(key in self.matching)
        self._reserve_height()
        return bool(own_definitions)

    def fill(self) -> None:
        """Create the rows to show."""
        for key in self._definitions:
            if key in self.matching:
                self.row(key)
        self._reserve_height()

    def _reserve_height(self) -> None:
        """Reserve the approximate height of all rows."""
        rows_px = 0 if self.is_complete else _HEADING_PX + _ROW_PX * len(self.matching)
        self.setMinimumHeight(theme().scaled(rows_px))

    def _insert_position(self, key: str) -> int:
        """Order: basic settings, extra rows, the line to expand, advanced settings."""
        is_advanced = self._definitions[key].advanced
        keys = list(self._definitions)
        before = [
            other
            for other in keys[: keys.index(key)]
            if other in self.rows and self._definitions[other].advanced is is_advanced
        ]
        return len(before) + (self._rows.indexOf(self._line) + 1 if is_advanced else 0)

    def add_widget(self, widget: QWidget) -> None:
        """Add a widget that is not a setting below the basic settings."""
        self._rows.insertWidget(self._rows.indexOf(self._line), widget)

    def unfold(self) -> None:
        """Expand the advanced settings at the next ``show_matching``."""
        self.fold.setChecked(True)
        self._update_fold_label()

    def _update_fold_label(self) -> None:
        expand_label = tr(_EXPAND_LABELS.get(self._group, _EXPAND_LABEL))
        self.fold.setText(tr("Show less") if self.is_unfolded else expand_label)
