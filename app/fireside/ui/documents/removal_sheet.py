"""Ask for confirmation before a collection is removed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from fireside.core.collection import Collection
from fireside.core.i18n import tr
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.widgets.text import WrappedLabel, one_line


class CollectionRemovalSheet(Sheet):
    """Enter and Escape both keep the collection."""

    def __init__(
        self, collection: Collection, on_confirmed: Callable[[], object], *, parent: QWidget
    ) -> None:
        super().__init__(tr("Remove collection"), parent=parent, size=SheetSize.SMALL)
        explanation = tr(
            "Its files stay. Chats that use it stop searching it; citations in answers are kept."
        )
        self.keep = self.make_button(tr("Keep"), self.reject, is_default=True)
        self.confirm = self.make_button(tr("Remove"), self.accept, kind="danger")
        self.set_content(
            WrappedLabel(explanation, role="body"),
            heading=tr("Remove “{name}”?").format(name=one_line(collection.name)),
            buttons=(self.keep, self.confirm),
        )
        self.accepted.connect(on_confirmed)
        self.keep.setFocus(Qt.FocusReason.OtherFocusReason)
