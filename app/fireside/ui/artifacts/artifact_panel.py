"""The panel beside the chat with its artifacts: the list of them, and one with its versions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from fireside.core.artifacts import Artifact, ArtifactKind, ArtifactPlace
from fireside.core.i18n import number, tr
from fireside.core.transfer import ExportFormat
from fireside.ui.artifacts.artifact_text import (
    EXPORTS,
    diff_text,
    highlight_language,
    kind_text,
    shown_text,
    title_text,
    version_text,
    when_text,
)
from fireside.ui.artifacts.previews import SHOWN_KINDS, Preview
from fireside.ui.artifacts.source_edit import SourceEdit
from fireside.ui.chat.composer.draft_timer import DraftTimer
from fireside.ui.kit.data_table import CellKind, DataTable, TableColumn, TableRow
from fireside.ui.kit.layout import boxed, column, row, stacked, stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.kit.side_area import SidePanel
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.empty_state import EmptyState
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.segmented_control import SegmentedControl
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.artifacts.artifacts_controller import ArtifactsController

_PREVIEW: Final = "preview"
_SOURCE: Final = "source"
_CHANGES: Final = "changes"
_MAX_ERRORS: Final = 20
_FORMAT_NAMES: Final = {
    ExportFormat.DOCX: "Word (.docx)",
    ExportFormat.PDF: "PDF",
    ExportFormat.HTML: "HTML",
    ExportFormat.XLSX: "Excel (.xlsx)",
}


class ArtifactPanel(SidePanel):
    """Shows the artifacts of the chat in front. GUI thread only."""

    USUAL_WIDTH: ClassVar = 560
    MIN_WIDTH: ClassVar = 360
    MAX_WIDTH: ClassVar = 1400
    COVERS: ClassVar = True

    def __init__(self, context: WindowContext, *, controller: ArtifactsController, parent: QWidget) -> None:
        super().__init__(name=tr("Artifacts"), parent=parent)
        self._controller = controller
        self.list_page = _ListPage(on_open=self.show_artifact, on_close=self._close)
        self.item_page = _ItemPage(
            context, controller=controller, on_list=self.show_list, on_close=self._close
        )
        self._stack = stacked(self.list_page, self.item_page)
        column(stretch(self._stack), spacing=0, on=self)
        self._artifacts: tuple[Artifact, ...] = ()

    @property
    def is_list_shown(self) -> bool:
        """Whether the list is shown, and no artifact."""
        return self._stack.currentWidget() is self.list_page

    def show_artifacts(self, artifacts: tuple[Artifact, ...], *, place: ArtifactPlace | None) -> None:
        """Show the artifacts as they are now; with ``place``, the version there."""
        self._artifacts = artifacts
        self.list_page.show_artifacts(artifacts)
        if place is not None:
            index, artifact = next(
                ((n, each) for each in artifacts if (n := each.index_of(place)) is not None), (0, None)
            )
            if artifact is None:
                self.list_page.note.show_text(tr("This is no artifact any more."))
                self.show_list()
            else:
                self.show_artifact(artifact, index)
        elif not self.is_list_shown:
            shown = self.item_page.artifact
            kept = None if shown is None else shown.place
            found = next((each for each in artifacts if each.place == kept), None)
            if found is None:
                self.show_list()
            else:
                self.item_page.update_artifact(found)

    def show_list(self) -> None:
        """Show the list of the chat's artifacts."""
        self.item_page.leave()
        self._turn_to(self.list_page)
        self.setAccessibleName(tr("Artifacts"))

    def show_artifact(self, artifact: Artifact, index: int = -1) -> None:
        """Show a version of an artifact, by default its last one."""
        self._turn_to(self.item_page)
        self.item_page.show_artifact(artifact, index % len(artifact.versions))
        self.setAccessibleName(title_text(artifact))

    def _turn_to(self, page: QWidget) -> None:
        focus = QApplication.focusWidget()
        had_focus = focus is not None and self.isAncestorOf(focus)
        if had_focus:
            self.setFocus(Qt.FocusReason.OtherFocusReason)  # Qt would give it to the chat, which is covered
        self._stack.setCurrentWidget(page)
        if had_focus:
            self.focus_content()

    def flush(self) -> None:
        """Store what was typed and not stored yet."""
        self.item_page.flush()

    def focus_content(self) -> None:
        """Give the keyboard focus to what is shown."""
        if self.is_list_shown:
            self.list_page.focus_list()
        else:
            self.item_page.focus_content()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leads back to the list, and from there to the chat."""
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.item_page.leave()
        self._stack.setCurrentWidget(self.list_page)

    def _close(self) -> None:
        self.flush()
        self.close_requested.emit()


class _ListPage(QWidget):
    def __init__(self, *, on_open: Callable[[Artifact], object], on_close: Callable[[], object]) -> None:
        super().__init__()
        self._on_open = on_open
        self._artifacts: tuple[Artifact, ...] = ()
        heading = Label(tr("Artifacts"), role="heading")
        close = IconButton("x", name=tr("Close artifacts"), size=16, on_click=on_close)
        self.filter = SearchField(tr("Filter"))
        self.note = WrappedLabel(role="mute")
        self.note.hide()
        self.table = DataTable(
            (
                TableColumn(title=tr("Title")),
                TableColumn(title=tr("Kind"), width=90),
                TableColumn(title=tr("Versions"), kind=CellKind.NUMBER, width=70, hide_priority=1),
                TableColumn(title=tr("Changed"), width=100, hide_priority=2),
            ),
            name=tr("Artifacts of this chat"),
        )
        self.empty = EmptyState(
            "boxes",
            title=tr("No artifacts"),
            text=tr("Pages, images, documents, tables, diagrams and longer code of this chat’s answers."),
        )
        self._stack = stacked(self.empty, self.table)
        column(
            row(stretch(heading), close, margins=(SPACE_L, SPACE_M, SPACE_M, 0)),
            row(stretch(self.filter), margins=(SPACE_L, 0, SPACE_M, 0)),
            row(stretch(self.note), margins=(SPACE_L, 0, SPACE_M, 0)),
            stretch(row(stretch(self._stack), margins=(SPACE_L, 0, SPACE_M, SPACE_M))),
            spacing=SPACE_S,
            on=self,
        )
        self.filter.textChanged.connect(self.table.set_filter)
        self.table.clicked.connect(lambda _index: self._open())
        # Once the key is handled: Enter would press the button that has the focus then.
        self.table.activated.connect(lambda _index: QTimer.singleShot(0, self, self._open))

    def show_artifacts(self, artifacts: tuple[Artifact, ...]) -> None:
        self._artifacts = artifacts
        self.note.hide()
        current = self.table.current_key
        self.table.set_rows(
            [
                TableRow(
                    cells=(
                        title_text(each),
                        kind_text(each),
                        number(len(each.versions)),
                        when_text(each.versions[-1]),
                    ),
                    key=str(index),
                )
                for index, each in reversed(tuple(enumerate(artifacts)))
            ]
        )
        self.table.select_key(current or str(len(artifacts) - 1))
        self._stack.setCurrentWidget(self.table if artifacts else self.empty)
        self.filter.setVisible(len(artifacts) > 1)

    def focus_list(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open(self) -> None:
        if self.table.current_key:
            self._on_open(self._artifacts[int(self.table.current_key)])


class _ItemPage(QWidget):
    """One artifact: its preview, its source, which can be edited, and what changed since the last version."""

    def __init__(
        self,
        context: WindowContext,
        *,
        controller: ArtifactsController,
        on_list: Callable[[], object],
        on_close: Callable[[], object],
    ) -> None:
        super().__init__()
        self._context = context
        self._controller = controller
        self.artifact: Artifact | None = None
        self._index = 0
        self._draft_place: ArtifactPlace | None = None
        """Where the version is that is being edited; ``None`` while none is."""
        self._errors: list[tuple[str, int]] = []
        self._draft_timer = DraftTimer(self)
        self._draft_timer.due.connect(self._store_draft)
        self.back = IconButton("arrow-left", name=tr("All artifacts of this chat"), on_click=on_list)
        self.title = ElidedLabel(role="heading", mode=Qt.TextElideMode.ElideMiddle)
        self.more = IconButton("ellipsis", name=tr("More"), on_click=self._open_menu)
        self.close_button = IconButton("x", name=tr("Close artifact"), size=16, on_click=on_close)
        self.previous = IconButton(
            "chevron-left", name=tr("Previous version"), on_click=lambda: self._step(-1)
        )
        self.position = ElidedLabel(role="mute")
        self.next = IconButton("chevron-right", name=tr("Next version"), on_click=lambda: self._step(1))
        self.views = SegmentedControl(
            ((_PREVIEW, tr("Preview")), (_SOURCE, tr("Source")), (_CHANGES, tr("Changes"))), name=tr("View")
        )
        self.views.key_selected.connect(self._on_view)
        self.preview = Preview(context)
        self.preview.console_error.connect(self._on_console_error)
        self.source = SourceEdit(name=tr("Source"))
        self.source.edited.connect(self._on_edited)
        self.changes = SourceEdit(name=tr("Changes since the previous version"), has_numbers=False)
        self._stack = stacked(self.preview, self.source, self.changes)
        self._make_errors()
        self._make_buttons()
        self._arrange()

    def _make_errors(self) -> None:
        self.error_text = WrappedLabel(role="error")
        self.fix = Button(tr("Ask to correct"), on_click=self._on_fix)
        self.fix.setAccessibleDescription(tr("Sends these errors to the model"))
        self._error_row = boxed(row(stretch(self.error_text), self.fix))
        self._error_row.hide()

    def _make_buttons(self) -> None:
        self.edit = Button(tr("Edit"), icon="pencil", on_click=self.begin_edit)
        self.ask = Button(tr("Ask to change"), icon="message-square", on_click=self._on_ask)
        self.ask.setAccessibleDescription(tr("Writes what is selected into the message field"))
        self.copy = Button(tr("Copy"), icon="copy", on_click=self._on_copy)
        self.save_as = Button(tr("Save as…"), icon="download", on_click=self._open_save_menu)
        self.save = Button(tr("Save version"), kind="primary", on_click=self._on_save)
        self.discard = Button(tr("Discard"), on_click=self._on_discard)
        self.status = Label(role="small")
        self._reading, _ = flow_row(self.edit, self.ask, self.copy, self.save_as, spacing=SPACE_S)
        self._editing = boxed(row(self.save, self.discard, stretch(self.status)))
        self._editing.hide()

    def _arrange(self) -> None:
        side = (SPACE_L, 0, SPACE_M, 0)
        column(
            row(
                *(self.back, stretch(self.title), self.more, self.close_button),
                spacing=SPACE_XS,
                margins=(SPACE_M, SPACE_M, SPACE_M, 0),
            ),
            row(
                *(self.previous, stretch(self.position), self.next, self.views),
                spacing=SPACE_XS,
                margins=side,
            ),
            row(stretch(self._error_row), margins=side),
            stretch(row(stretch(self._stack), margins=(SPACE_L, 0, SPACE_M, 0))),
            row(stretch(self._reading), stretch(self._editing), margins=(SPACE_L, 0, SPACE_M, SPACE_M)),
            spacing=SPACE_S,
            on=self,
        )

    # Display

    @property
    def text(self) -> str:
        """The text of the version that is shown; while it is edited, as it is then."""
        if self._draft_place is not None:
            return self.source.toPlainText()
        return "" if self.artifact is None else self.artifact.versions[self._index].text

    @property
    def is_editing(self) -> bool:
        return self._draft_place is not None

    def show_artifact(self, artifact: Artifact, index: int) -> None:
        """Show a version; one that is not finished is gone on with."""
        self.leave()
        is_other = self.artifact is None or self.artifact.place != artifact.place
        self.artifact, self._index = artifact, index
        if is_other:
            self.views.select(_PREVIEW if artifact.kind in SHOWN_KINDS else _SOURCE)
        self._show()
        if artifact.draft is not None and artifact.draft_place is not None:
            self._edit(artifact.draft_place, artifact.draft)

    def update_artifact(self, artifact: Artifact) -> None:
        """Show the artifact as it is now, with a newer last version where the last one was shown."""
        before, self.artifact = self.artifact, artifact
        was_last = before is None or self._index >= len(before.versions) - 1
        self._index = len(artifact.versions) - 1 if was_last else self._index
        if self.is_editing:
            self._show_head()
        elif before != artifact:
            self._show()

    def leave(self) -> None:
        """Store what is being written, and end the preview."""
        self.flush()
        self._set_editing(None)
        self.preview.shut_down()

    def focus_content(self) -> None:
        if (shown := self._stack.currentWidget()) is not None:
            shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self) -> None:
        artifact = self.artifact
        if artifact is None:
            return
        self._show_head()
        self._errors.clear()
        self._show_errors()
        self.source.show_text(self.text, language=highlight_language(artifact))
        self.edit.setEnabled(self.source.is_whole)
        self.edit.setToolTip("" if self.source.is_whole else tr("Its lines are too long to be edited here."))
        self._show_view()

    def _show_head(self) -> None:
        assert self.artifact is not None
        artifact = self.artifact
        self.title.set_full_text(title_text(artifact))
        self.position.set_full_text(version_text(artifact, self._index))
        self.previous.setEnabled(self._index > 0)
        self.next.setEnabled(self._index + 1 < len(artifact.versions))
        for button in (self.previous, self.next):
            button.setVisible(len(artifact.versions) > 1 and not self.is_editing)
        self.views.button(_PREVIEW).setVisible(artifact.kind in SHOWN_KINDS)
        self.views.button(_CHANGES).setVisible(self._index > 0 and not self.is_editing)
        selected = self.views.selected_key
        if self.views.button(selected).isHidden():
            self.views.select(_SOURCE)
        shown = (key for key in (_PREVIEW, _SOURCE, _CHANGES) if not self.views.button(key).isHidden())
        self.views.setVisible(len(tuple(shown)) > 1)

    def _show_view(self) -> None:
        assert self.artifact is not None
        key = self.views.selected_key
        if key == _PREVIEW:
            self.preview.show_text(shown_text(self.artifact, self.text))
        elif key == _CHANGES and self._index > 0:
            before, after = (self.artifact.versions[n].text for n in (self._index - 1, self._index))
            self._controller.compare(partial(diff_text, before, after), self._show_changes)
        pages = {_PREVIEW: self.preview, _SOURCE: self.source, _CHANGES: self.changes}
        self._stack.setCurrentWidget(pages[key])

    def _show_changes(self, changes: str) -> None:
        text = changes or tr("Nothing was changed.")
        self.changes.show_text(text, language="diff" if changes else "text")

    def _on_view(self, _key: str) -> None:
        self._show_view()

    def _step(self, by: int) -> None:
        if self.artifact is not None and 0 <= self._index + by < len(self.artifact.versions):
            self._index += by
            self._show()

    # Editing

    def begin_edit(self) -> None:
        """Let the user change the source of the version that is shown."""
        if self.artifact is not None and self.source.is_whole:
            self._edit(self.artifact.versions[self._index].place, self.text)
            self.source.setFocus(Qt.FocusReason.OtherFocusReason)

    def _edit(self, place: ArtifactPlace, text: str) -> None:
        assert self.artifact is not None
        self._set_editing(place)
        if text != self.source.toPlainText():
            self.source.show_text(text, language=highlight_language(self.artifact))
        self.views.select(_SOURCE)
        self._show_view()
        self._show_status()

    def _set_editing(self, place: ArtifactPlace | None) -> None:
        self._draft_place = place
        self.source.set_editable(is_editable=place is not None)
        self._reading.setVisible(place is None)
        self._editing.setVisible(place is not None)
        if self.artifact is not None:
            self._show_head()

    def _on_edited(self) -> None:
        self.status.setText("")
        self.save.setEnabled(self._is_changed)
        self._draft_timer.start()

    @property
    def _is_changed(self) -> bool:
        return self.artifact is not None and self.text != self.artifact.versions[self._index].text

    def _show_status(self) -> None:
        self.save.setEnabled(self._is_changed)
        self.status.setText(tr("Not saved as a version yet") if self._is_changed else "")

    def flush(self) -> None:
        """Store what was typed and not stored yet."""
        if self._draft_timer.is_active:
            self._draft_timer.stop()
            self._store_draft()

    def _store_draft(self) -> None:
        if self._draft_place is not None:
            text = self.text if self._is_changed else None
            self._controller.save_draft(self._draft_place, text)
            self._show_status()

    def _on_save(self) -> None:
        if self._draft_place is not None:
            self._draft_timer.stop()
            self.save.setEnabled(False)
            self._controller.save_version(self._draft_place, self.text)

    def end_edit(self) -> None:
        """The version was stored: show it."""
        self._set_editing(None)
        self._index = -1 if self.artifact is None else len(self.artifact.versions)

    def _on_discard(self) -> None:
        if self._draft_place is not None:
            self._draft_timer.stop()
            self._controller.save_draft(self._draft_place, None)
            self._set_editing(None)
            self._show()

    # Actions

    @property
    def _selected(self) -> str:
        shown = self._stack.currentWidget()
        return shown.selected if isinstance(shown, SourceEdit) else ""

    def _on_ask(self) -> None:
        if self.artifact is not None:
            version = self.artifact.versions[self._index]
            self._controller.ask_to_change(
                self.artifact, text=version.text, selected=self._selected, is_known=not version.by_user
            )

    def _on_copy(self) -> None:
        QApplication.clipboard().setText(self._selected or self.text)
        self._context.toast.show_message(tr("Copied"))

    def _open_save_menu(self) -> None:
        if self.artifact is None:
            return
        artifact, menu = self.artifact, Menu(self)
        own = menu.addAction(artifact.file_name)
        own.triggered.connect(partial(self._save_form, None))
        for form in EXPORTS.get(artifact.kind, ()):
            line = menu.addAction(_FORMAT_NAMES[form])
            line.triggered.connect(partial(self._save_form, form))
        menu.popup(self.save_as.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def _save_form(self, form: ExportFormat | None) -> None:
        if self.artifact is not None:
            self._controller.save_file(shown_text(self.artifact, self.text), form, self.artifact.file_name)

    def _open_menu(self) -> None:
        if self.artifact is None:
            return
        artifact, menu = self.artifact, Menu(self)
        menu.addAction(tr("Rename…")).triggered.connect(lambda: self._rename(artifact))
        if artifact.kind in (ArtifactKind.HTML, ArtifactKind.MERMAID, ArtifactKind.VEGA_LITE):
            browser = menu.addAction(tr("Open in browser"))
            browser.triggered.connect(self._open_in_browser)
        show = menu.addAction(tr("Show in chat"))
        show.triggered.connect(lambda: self._controller.show_in_chat(artifact.versions[self._index].place))
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def _open_in_browser(self) -> None:
        if self.artifact is not None:
            self.preview.open_in_browser(shown_text(self.artifact, self.text))

    def _rename(self, artifact: Artifact) -> None:
        RenameSheet(
            title_text(artifact), partial(self._controller.rename, artifact.place), parent=self
        ).open()

    # Errors of the preview

    def _on_console_error(self, message: str, line: int) -> None:
        if (message, line) not in self._errors and len(self._errors) < _MAX_ERRORS:
            self._errors.append((message, line))
            self._show_errors()

    def _show_errors(self) -> None:
        lines = [
            tr("Line {line}: {message}").format(line=line, message=message) if line else message
            for message, line in self._errors[:3]
        ]
        n_more = len(self._errors) - len(lines)
        if n_more:
            lines.append(tr("%n more error|%n more errors", "", n_more))
        self.error_text.setText("\n".join(lines))
        self._error_row.setVisible(bool(self._errors))

    def _on_fix(self) -> None:
        if self.artifact is not None:
            self._controller.ask_to_fix(self.artifact, tuple(self._errors))


class RenameSheet(Sheet):
    """Asks for the name of an artifact."""

    def __init__(self, title: str, on_named: Callable[[str], object], *, parent: QWidget) -> None:
        """Call ``on_named`` with the name; empty for that which the answers give."""
        super().__init__(tr("Rename"), parent=parent, size=SheetSize.SMALL)
        self._on_named = on_named
        self.field = QLineEdit(title)
        self.field.setAccessibleName(tr("Title"))
        self.field.selectAll()
        confirm = self.make_button(tr("Rename"), self._on_confirm, kind="primary", is_default=True)
        self.set_content(self.field, heading=tr("Rename artifact"), buttons=(self.make_cancel(), confirm))
        self.field.setFocus()

    def _on_confirm(self) -> None:
        self.accept()
        self._on_named(self.field.text())
