"""The confirmation before a model is removed: what happens, which files are deleted, the space that frees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import tr, tr_noop
from fireside.core.library import Removal, RemovalKind
from fireside.ui.kit.layout import column
from fireside.ui.kit.sheet import Sheet
from fireside.ui.theme import SPACE_XS
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line

_MAX_FILES: Final = 6
_TITLES: Final = {
    RemovalKind.TRASH: tr_noop("Delete “{name}”?"),
    RemovalKind.FORGET_FILE: tr_noop("Remove “{name}” from the list?"),
    RemovalKind.FORGET_FOLDER: tr_noop("Remove this folder from the list?"),
    RemovalKind.NOT_POSSIBLE: tr_noop("“{name}” cannot be deleted here"),
}
_BUTTON_LABELS: Final = {
    RemovalKind.TRASH: tr_noop("Move to trash"),
    RemovalKind.FORGET_FILE: tr_noop("Remove from list"),
    RemovalKind.FORGET_FOLDER: tr_noop("Remove from list"),
}


class RemovalSheet(Sheet):
    """Enter and Escape cancel."""

    def __init__(
        self,
        removal: Removal,
        on_confirmed: Callable[[], object],
        *,
        name: str,
        parent: QWidget,
    ) -> None:
        window_title = tr("Delete model") if removal.kind is RemovalKind.TRASH else tr("Models")
        super().__init__(window_title, parent=parent)
        title = tr(_TITLES[removal.kind]).format(name=one_line(name))
        self.setAccessibleDescription(removal.text)
        confirm_label = _BUTTON_LABELS.get(removal.kind)
        self.cancel = self.make_button(
            tr("Keep") if confirm_label else tr("Close"), self.reject, is_default=True
        )
        self.confirm = self.make_button(
            tr(confirm_label) if confirm_label else "", self.accept, kind="danger"
        )
        self.set_content(
            WrappedLabel(removal.text, role="body"),
            _file_lines(removal) if removal.files else None,
            heading=title,
            buttons=(self.cancel, self.confirm),
        )
        self.confirm.setVisible(confirm_label is not None)
        self.accepted.connect(on_confirmed)
        self.cancel.setFocus(Qt.FocusReason.OtherFocusReason)


def removed_text(removal: Removal, *, name: str) -> str:
    """Return the message after the removal."""
    match removal.kind:
        case RemovalKind.TRASH if removal.freed_bytes:
            return tr("“{name}” moved to trash; emptying it frees {freed_bytes}").format(
                name=name, freed_bytes=format_bytes(removal.freed_bytes)
            )
        case RemovalKind.TRASH:
            return tr("“{name}” moved to trash").format(name=name)
        case _:
            return tr("“{name}” removed from the list; its files stay").format(name=name)


def _file_lines(removal: Removal) -> QVBoxLayout:
    lines = column(spacing=SPACE_XS)
    for path in removal.files[:_MAX_FILES]:
        label = ElidedLabel(path, mode=Qt.TextElideMode.ElideMiddle)
        label.setObjectName("pathLabel")
        lines.addWidget(label)
    if (n_more := len(removal.files) - _MAX_FILES) > 0:
        lines.addWidget(Label(tr("and %n more|and %n more", "", n_more), role="small"))
    return lines
