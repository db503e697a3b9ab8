"""The sections of the settings page; rows are created when they come into view."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from fireside.settings.values import Group, SettingDefinition
from fireside.ui.kit.layout import column
from fireside.ui.settings.group_box import GroupBox
from fireside.ui.settings.setting_row import SettingRow
from fireside.ui.theme import SPACE_XL
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.page_scroll import PageScroll


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
