"""The groups of the settings page: each a heading and a card, with advanced settings collapsed.

A row is made when it is first in view: a page of them takes a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.settings.values import Group, SettingDefinition
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.settings.setting_row import RELOAD_NOTE, SettingRow
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.page_scroll import PageScroll
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


class SettingList(PageScroll):
    """Owns the groups and their rows; the page fills the rows."""

    def __init__(self, *, make: Callable[[SettingDefinition], SettingRow]) -> None:
        super().__init__()
        self._make = make
        self._is_filling = False
        self._has_tab_order = False
        self.definitions: dict[str, SettingDefinition] = {}
        self.groups: dict[Group, GroupBox] = {}
        self.body = column()
        self.setWidget(centred(self.body, bottom=SPACE_XL, in_page_scroll=True, at_start=True))
        self.verticalScrollBar().valueChanged.connect(self._fill)
        self.verticalScrollBar().rangeChanged.connect(self._fill)

    @property
    def rows(self) -> Mapping[str, SettingRow]:
        """The rows created so far, by key."""
        return {key: row for box in self.groups.values() for key, row in box.rows.items()}

    @property
    def matching(self) -> frozenset[str]:
        """Keys of the settings that match and are not collapsed, visible or not."""
        return frozenset(key for box in self.groups.values() for key in box.matching)

    def add_group(
        self, group: Group, definitions: Sequence[SettingDefinition], *, others: Sequence[QWidget]
    ) -> GroupBox:
        """Append a section with its extra rows."""
        box = GroupBox(group, definitions, make=self._make)
        for other in others:
            box.add_widget(other)
        self.definitions.update({definition.key: definition for definition in definitions})
        self.groups[group] = box
        self.body.addWidget(box)
        return box

    def row(self, key: str) -> SettingRow:
        """Return the row of a setting; creates all rows of its section if needed."""
        group = self.definitions[key].group
        row = self.groups[group].row(key)
        self.fill(group)
        return row

    def fill(self, group: Group) -> None:
        """Create the visible rows of a section."""
        self.groups[group].fill()
        self._set_tab_order([self.groups[group]])

    def scroll_to(self, part: QWidget) -> None:
        """Scroll until a part of the page is visible."""
        for _ in range(2):  # new rows change the height
            self.apply_layout()
            self.ensureWidgetVisible(part, 0, 80)

    def show_matching(
        self, matching: AbstractSet[str], *, with_others: AbstractSet[Group], is_searching: bool
    ) -> bool:
        """Show the settings of ``matching``, and the sections ``with_others``, whose other rows match. Return
        whether anything is visible."""
        for group, box in self.groups.items():
            has_rows = box.show_matching(matching, is_searching=is_searching)
            box.setVisible(has_rows or group in with_others)
        self.apply_layout()
        if is_searching:
            self.verticalScrollBar().setValue(0)
        self._fill()
        return not all(box.isHidden() for box in self.groups.values())

    @Slot()
    def _fill(self) -> None:
        """Create the rows in view and within half a page of it, without moving what is visible."""
        if self._is_filling:
            return
        self._is_filling = True
        bar, page_px = self.verticalScrollBar(), self.viewport().height()
        near_px = page_px // 2
        filled: list[GroupBox] = []
        for box in self.groups.values():
            top = self.top_of(box)
            bottom = top + box.height()
            is_near = top < bar.value() + page_px + near_px and bottom > bar.value() - near_px
            if is_near and not box.isHidden() and not box.is_complete:
                box.fill()
                self.apply_layout()
                if bottom <= bar.value():
                    bar.setValue(bar.value() + self.top_of(box) + box.height() - bottom)
                filled.append(box)
        self._set_tab_order(filled)
        self._is_filling = False

    def _set_tab_order(self, filled: Sequence[GroupBox]) -> None:
        """Set the Tab order to the order on the page; only ``filled`` have new rows since the last time."""
        boxes = list(self.groups.values())
        for index in map(boxes.index, filled):
            # New rows move behind the section before theirs; before the first one there is nothing.
            is_enough = self._has_tab_order and index > 0
            _chain(boxes[index - 1 : index + 1] if is_enough else boxes)
            self._has_tab_order = True


def _chain(boxes: Iterable[GroupBox]) -> None:
    for first, second in pairwise(stop for box in boxes for stop in box.tab_stops):
        QWidget.setTabOrder(first, second)
