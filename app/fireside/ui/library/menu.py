"""The context menu of one model file."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from fireside.core.i18n import tr
from fireside.core.status import LoadingModel, Ready, Unloading
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.library.rows import OWN_FOLDER, Integrity, ModelRow, integrity
from fireside.ui.theme import theme
from fireside.ui.widgets.popup import Menu

MenuEntry = tuple[str, str, Callable[[], object]]
"""Label, icon and handler; an empty label is a separator."""
_SEPARATOR: MenuEntry = ("", "", lambda: None)


def model_menu(
    row: ModelRow,
    *,
    library: LibraryController,
    rename: Callable[[], None],
    parent: QWidget,
    is_on_page: bool = False,
) -> QMenu:
    """Return the menu of a model file; ``rename`` opens the editor of its name in the view.

    On the page of the model, buttons above open, load and use it.
    """
    menu = Menu(parent)
    menu.setAccessibleName(tr("Actions"))
    entries = (
        *_load_actions(row, library=library, is_on_page=is_on_page),
        _SEPARATOR,
        *_note_actions(row, library=library, rename=rename),
        _SEPARATOR,
        *_file_actions(row, library=library),
    )
    for label, icon, act in entries:
        if not label:
            menu.addSeparator()
            continue
        action = QAction(theme().icon(icon, "mute", 16), label, menu)
        # After the menu has closed: otherwise it takes the focus from what the action opens.
        action.triggered.connect(lambda _checked=False, act=act: QTimer.singleShot(0, parent, act))
        menu.addAction(action)
    return menu


def _load_actions(row: ModelRow, *, library: LibraryController, is_on_page: bool) -> list[MenuEntry]:
    entries: list[MenuEntry] = []
    entry, spec = row.entry, row.entry.spec
    if not is_on_page:
        entries.append((tr("Open"), "info", lambda: library.open(entry.path)))
    if spec is None:
        return entries
    if entry.can_chat and isinstance(row.state, LoadingModel):
        entries.append((tr("Cancel loading"), "x", lambda: library.router.unload_model(spec.id)))
    if entry.can_chat and not is_on_page:
        entries.append((tr("Use in chat"), "message-square", lambda: library.router.use_model(spec.id)))
        if isinstance(row.state, Ready):
            entries.append((tr("Unload"), "power", lambda: library.router.unload_model(spec.id)))
        elif not isinstance(row.state, LoadingModel | Unloading):
            entries.append((tr("Load"), "play", lambda: library.router.load_model(spec.id)))
    entries.append(
        (
            tr("Model settings"),
            "sliders-horizontal",
            lambda: library.router.show_model_settings(spec.id),
        )
    )
    return entries


def _note_actions(
    row: ModelRow, *, library: LibraryController, rename: Callable[[], None]
) -> list[MenuEntry]:
    spec = row.entry.spec
    if spec is None:
        return []
    is_favourite = row.entry.user_metadata.favourite
    label = tr("Remove from favourites") if is_favourite else tr("Add to favourites")
    icon = "star-filled" if is_favourite else "star"
    return [
        (tr("Rename"), "pencil", rename),
        (label, icon, lambda: library.mark_favourite(spec.id, not is_favourite)),
    ]


def _file_actions(row: ModelRow, *, library: LibraryController) -> list[MenuEntry]:
    entry = row.entry
    entries: list[MenuEntry] = []
    update = row.update
    if update is not None:
        entries.append((tr("Download update"), "download", lambda: library.download_update(update)))
    match integrity(row):
        case Integrity.BUSY:
            entries.append((tr("Cancel verification"), "x", lambda: library.cancel_check(entry.path)))
        case Integrity.DAMAGED:
            entries.append((tr("Repair file"), "wrench", lambda: library.check(entry.path, repair=True)))
        case Integrity.GROWING:
            pass
        case Integrity.UNUSABLE if entry.source != OWN_FOLDER:
            # Only a downloaded file can be compared with a checksum and repaired.
            pass
        case _:
            entries.append((tr("Verify file"), "shield-check", lambda: library.check(entry.path)))
    entries.append((tr("Show in folder"), "folder-open", lambda: library.reveal(entry.path)))
    entries.append((tr("Copy path"), "copy", lambda: QGuiApplication.clipboard().setText(entry.path)))
    if entry.removable:
        own = entry.source == OWN_FOLDER
        label = tr("Delete…") if own else tr("Remove from list…")
        entries.append((label, "trash-2", lambda: library.confirm_removal(entry.path)))
    return entries
