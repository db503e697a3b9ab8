"""The page of one collection: its files and folders, search settings, and a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import PurePath
from typing import Final

from PySide6.QtCore import QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from fireside.core.collection import Activity, Collection, CollectionSearchResult, CollectionState, Source
from fireside.core.i18n import number, tr
from fireside.core.ids import ModelId
from fireside.core.options import Purpose
from fireside.ui.documents.documents_controller import DocumentsController
from fireside.ui.documents.documents_text import (
    activity_text,
    file_help,
    file_state,
    fraction,
    has_problem,
    offline_text,
    problems_text,
    scans_text,
    searchable_text,
    skipped_text,
)
from fireside.ui.documents.passage_list import PassageList
from fireside.ui.kit.data_table import CellKind, DataTable, TableColumn, TableRow
from fireside.ui.kit.layout import at_top, boxed, card, clear, column, long_form, row, scrolled, stretch
from fireside.ui.kit.sub_page import SubPage
from fireside.ui.models_view import ModelsView
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, theme
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line

_VISIBLE_ROWS: Final = 8
_SEARCHED_FROM: Final = 10
"""Files from which on one is searched for by name."""


class FileList(QWidget):
    """A table with what can be done with the selected file; the controller does it."""

    def __init__(self, *, controller: DocumentsController) -> None:
        super().__init__()
        self._sources: dict[str, Source] = {}
        columns = (
            TableColumn(title=tr("File")),
            TableColumn(title=tr("Folder"), width=150, hide_priority=2),
            TableColumn(title=tr("State"), width=150),
            TableColumn(title=tr("Passages"), kind=CellKind.NUMBER, width=80, hide_priority=1),
        )
        self.search = SearchField(tr("Find a file"))
        self.table = DataTable(columns, name=tr("Files"), max_visible_rows=_VISIBLE_ROWS, marks_current=True)
        self.about = WrappedLabel(role="mute")
        self._actions: dict[str, tuple[str, Callable[[Source], object]]] = {
            tr("Open file"): ("external-link", controller.open_file),
            tr("Show in folder"): ("folder-open", controller.reveal),
            tr("Read again"): ("refresh-cw", controller.reread),
            tr("Remove"): ("x", controller.remove_file),
        }
        self.buttons = [
            Button(label, icon=icon, kind="quiet", on_click=partial(self._act, act))
            for label, (icon, act) in self._actions.items()
        ]
        buttons, _ = flow_row(*self.buttons, spacing=SPACE_S)
        self._buttons = buttons
        column(self.search, self.table, self.about, buttons, on=self)
        for part in (self.search, self.about, buttons):
            part.hide()
        self.hide()
        self.search.textChanged.connect(self._on_search)
        self.table.current_changed.connect(self._show_current)
        self.table.activated.connect(lambda _index: self._act(controller.open_file))
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._on_menu)

    def __contains__(self, path: str) -> bool:
        """Whether a path is one of the files."""
        return path in self._sources

    def focus_first(self) -> None:
        """Select the first file, which has a problem if any has."""
        if rows := self.table.row_model.rows:
            self.table.select_key(rows[0].key)
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def current(self) -> Source | None:
        """The selected file."""
        return self._sources.get(self.table.current_key)

    def show_files(self, sources: Sequence[Source], *, roots: Sequence[str] = ()) -> None:
        """Show these files, found in these files and folders; a selected one stays so."""
        current = self.table.current_key
        self._sources = {source.path: source for source in sources}
        ordered = sorted(sources, key=lambda source: (not has_problem(source), source.path))
        self.table.set_rows(
            [
                TableRow(
                    cells=(
                        source.name,
                        _folder(source.path, roots),
                        file_state(source),
                        number(source.n_passages) if source.n_passages else "",
                    ),
                    key=source.path,
                )
                for source in ordered
            ]
        )
        self.search.setVisible(len(sources) >= _SEARCHED_FROM)
        self.setVisible(bool(sources))
        self.table.select_key(current)
        self._show_current()

    def _show_current(self) -> None:
        source = self.current
        self.about.show_text("" if source is None else file_help(source))
        self._buttons.setVisible(source is not None)

    def _on_search(self, text: str) -> None:
        self.table.set_filter(text)

    def _act(self, act: Callable[[Source], object], _checked: bool = False) -> None:
        if (source := self.current) is not None:
            act(source)

    def _on_menu(self, at: QPoint) -> None:
        if self.current is None:
            return
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(tr("Actions"))
        for label, (icon, act) in self._actions.items():
            action = QAction(theme().icon(icon, "mute", 16), label, menu)
            # Deferred until the menu has closed, otherwise it takes the focus from what the action opens.
            do = partial(self._act, act)
            action.triggered.connect(lambda _checked=False, do=do: QTimer.singleShot(0, self, do))
            menu.addAction(action)
        menu.popup(self.table.viewport().mapToGlobal(at))


def _folder(path: str, roots: Sequence[str]) -> str:
    """Return the folder of a file, from that of the collection on which it is in."""
    folder = PurePath(path).parent
    for root in map(PurePath, roots):
        if root in (folder, *folder.parents):
            return str(folder.relative_to(root.parent))
    return str(folder)


_TYPING_MS: Final = 250
_MIN_MODEL_WIDTH: Final = 120
"""Minimum width in pixels of the model selector, however long the model names are."""


class CollectionPage(SubPage):
    """Shows one collection at a time."""

    def __init__(
        self, *, controller: DocumentsController, models: ModelsView, parent: QWidget | None = None
    ) -> None:
        super().__init__(back=tr("Back to documents"), parent=parent)
        self._controller = controller
        self._models = models
        self.collection: Collection | None = None
        self.name = ElidedLabel(role="title")
        self.ask = Button(tr("Ask in new chat"), icon="square-pen", on_click=self._on_ask)
        self.more = IconButton("ellipsis", name=tr("Actions"), on_click=self._on_more)
        self.state = StateBox()
        self.skipped = WrappedLabel(role="small")
        self.skipped.hide()
        self.files = FileList(controller=controller)
        self._roots = column()
        self._listed_roots: list[str] = []
        self.add_folder = Button(tr("Add folder…"), icon="folder-plus", on_click=self._add_folder)
        self.add_files = Button(tr("Add files…"), icon="file-plus", on_click=self._add_files)
        self.model = ComboBox(name=tr("Embedding model"))
        self.vision_model = ComboBox(name=tr("Vision model"))
        self.find_model = Button(tr("Find models"), kind="link", on_click=controller.find_models)
        self.search = SearchField(tr("Search the text of these files"))
        self.results = PassageList(controller.read)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._arrange()
        self._connect()

    def show_collection(self, collection: Collection) -> None:
        """Show this collection; the typed query is kept if the same collection is already shown."""
        is_another = self.collection is None or self.collection.id != collection.id
        self.collection = collection
        self.name.set_full_text(collection.name)
        self.setWindowTitle(one_line(collection.name))
        if is_another:
            self.search.clear()
            self.results.show_nothing()
            self.state.show_state(CollectionState())
            self.files.show_files(())
        self._show_roots()
        self._show_models()

    def show_state(self, state: CollectionState) -> None:
        """Show the indexing state."""
        self.state.show_state(state)
        self.skipped.show_text(skipped_text(state))

    def show_files(self, sources: Sequence[Source]) -> None:
        """Show the files."""
        self.files.show_files(sources, roots=self.collection.roots if self.collection is not None else ())
        self._show_roots()

    def show_results(self, result: CollectionSearchResult) -> None:
        """Show the search results, unless the query has been cleared."""
        if self.search.text().strip():
            self.results.show_result(result)
        else:
            self.results.show_nothing()

    def focus_first_field(self) -> None:
        """Give the keyboard focus to the search field, or to the first action of an empty collection."""
        has_files = self.collection is not None and bool(self.collection.roots)
        (self.search if has_files else self.add_folder).setFocus(Qt.FocusReason.OtherFocusReason)

    def _arrange(self) -> None:
        for choice in (self.model, self.vision_model):
            choice.setMinimumWidth(_MIN_MODEL_WIDTH)
        head = ResponsiveRow(self.name, self.ask, spacing=SPACE_S)
        files = card(
            self._make_drop_zone(), self.state, self.files, self._roots, self.skipped, title=tr("Files")
        )
        parts = column(self.search, self.results, files, self._make_options(), stretch(), spacing=SPACE_L)
        column(
            centred(row(at_top(self.back), stretch(head), at_top(self.more)), top=SPACE_XL, bottom=SPACE_M),
            stretch(scrolled(centred(parts, bottom=SPACE_XL, in_page_scroll=True))),
            spacing=0,
            on=self,
        )

    def _make_drop_zone(self) -> QWidget:
        zone = QFrame()
        zone.setObjectName("dropZone")
        buttons, _ = flow_row(self.add_files, self.add_folder, spacing=SPACE_S)
        hint = WrappedLabel(tr("Drop files or folders here. They stay where they are."), role="mute")
        column(hint, buttons, margins=SPACE_M, on=zone)
        return zone

    def _make_options(self) -> QWidget:
        about = WrappedLabel(
            tr("With an embedding model, passages are also found by meaning. Without one, by keywords only."),
            role="small",
        )
        about_vision = WrappedLabel(
            tr(
                "A vision model reads images and scanned pages in the background. Its text is marked: it may "
                "have errors."
            ),
            role="small",
        )
        fields = long_form(
            (tr("Embedding model"), boxed(column(self.model, row(stretch(about), at_top(self.find_model))))),
            (tr("Vision model"), boxed(column(self.vision_model, about_vision))),
            spacing=SPACE_L,
        )
        return card(fields, title=tr("Options"))

    def _connect(self) -> None:
        self.state.pause_button.clicked.connect(self._on_pause)
        self.state.problems.clicked.connect(self.files.focus_first)
        self.state.speech.clicked.connect(self._controller.find_speech_models)
        self.model.activated.connect(self._on_model)
        self.vision_model.activated.connect(self._on_vision_model)
        self._typing.timeout.connect(self._on_search)
        self.search.textChanged.connect(self._typing.start)
        self.search.returnPressed.connect(self._on_search)
        self._models.entries_changed.connect(self._show_models)

    def _show_roots(self) -> None:
        """List the folders, and the files that are not there: the others are among the files."""
        collection = self.collection
        listed = [] if collection is None else [each for each in collection.roots if each not in self.files]
        if listed == self._listed_roots:
            return
        self._listed_roots = listed
        clear(self._roots)
        for root in listed:
            path = ElidedLabel(root, mode=Qt.TextElideMode.ElideMiddle)
            path.setObjectName("pathLabel")
            remove = IconButton("x", name=tr("Remove {path}").format(path=root), size=15)
            remove.clicked.connect(partial(self._remove, root))
            self._roots.addWidget(boxed(row(stretch(path), remove)))

    @Slot()
    def _show_models(self) -> None:
        """List the installed embedding and vision models, and the selected ones even if they are missing."""
        if self.collection is None:
            return
        local_models = [
            (entry.own_name or entry.spec.name, entry.spec)
            for entry in self._models.entries
            if entry.spec is not None and entry.spec.remote is None
        ]
        embedding = [(name, spec.id) for name, spec in local_models if spec.purpose is Purpose.EMBED]
        vision = [
            (name, spec.id)
            for name, spec in local_models
            if spec.purpose is Purpose.GENERATE and spec.sees_images
        ]
        self.find_model.setVisible(not embedding)
        _fill(self.model, tr("None (keywords only)"), embedding, selected=self.collection.embedding_model)
        _fill(self.vision_model, tr("No model"), vision, selected=self.collection.vision_model)

    # User actions

    def _on_ask(self) -> None:
        if self.collection is not None:
            self._controller.ask(self.collection.id)

    def _on_more(self) -> None:
        if self.collection is not None:
            menu = collection_menu(self.collection, controller=self._controller, parent=self)
            menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _add_folder(self) -> None:
        if self.collection is not None:
            self._controller.choose_folder(self.collection.id)

    def _add_files(self) -> None:
        if self.collection is not None:
            self._controller.choose_files(self.collection.id)

    def _remove(self, root: str, _checked: bool = False) -> None:
        if self.collection is not None:
            self._controller.remove_root(self.collection.id, root)

    def _on_pause(self) -> None:
        if self.collection is not None:
            self._controller.pause(self.collection.id, is_paused=not self.state.is_paused)

    @Slot(int)
    def _on_model(self, index: int) -> None:
        if self.collection is not None:
            self._controller.choose_model(self.collection.id, self.model.itemData(index))

    @Slot(int)
    def _on_vision_model(self, index: int) -> None:
        if self.collection is not None:
            self._controller.choose_vision_model(self.collection.id, self.vision_model.itemData(index))

    @Slot()
    def _on_search(self) -> None:
        self._typing.stop()
        if self.collection is not None:
            self._controller.search(self.collection.id, self.search.text())


def _fill(
    box: ComboBox, none_label: str, models: Sequence[tuple[str, ModelId]], *, selected: ModelId | None
) -> None:
    """List “none”, ``models``, and the selected model even if it is missing."""
    listed: list[tuple[str, ModelId | None]] = [(none_label, None), *models]
    if selected not in [model_id for _, model_id in listed]:
        listed.append((tr("Model not in the library"), selected))
    box.clear()
    for label, model_id in listed:
        box.addItem(label, model_id)
    box.setCurrentIndex([model_id for _, model_id in listed].index(selected))


# The menu of all actions for one collection


def collection_menu(collection: Collection, *, controller: DocumentsController, parent: QWidget) -> QMenu:
    """Return the menu of a collection; it is deleted when it closes."""
    menu = Menu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setAccessibleName(tr("Actions"))
    for label, icon, act in (
        (tr("Add folder…"), "folder-plus", lambda: controller.choose_folder(collection.id)),
        (tr("Add files…"), "file-plus", lambda: controller.choose_files(collection.id)),
        (tr("Check for changes"), "refresh-cw", lambda: controller.rescan(collection.id)),
        (tr("Rename…"), "pencil", lambda: controller.prompt_rename(collection)),
        (tr("Remove…"), "trash-2", lambda: controller.prompt_removal(collection)),
    ):
        action = QAction(theme().icon(icon, "mute", 16), label, menu)
        # Deferred until the menu has closed, otherwise it takes the focus from what the action opens.
        action.triggered.connect(lambda _checked=False, act=act: QTimer.singleShot(0, parent, act))
        menu.addAction(action)
    return menu


# The indexing state of a collection: counts, current activity, problems


class StateBox(QFrame):
    """Shows one ``CollectionState``; the owner connects ``pause_button``, ``problems`` and ``speech``."""

    def __init__(self) -> None:
        super().__init__()
        self.is_paused = False
        self.searchable = Label(tr("Loading…"), role="mute")
        self.problems = Button("", kind="link")
        self.speech = Button(tr("Speech models…"), kind="link")
        """Shown where recordings wait for speech recognition."""
        self.offline = Label(role="warning")
        self.scans = WrappedLabel(role="mute")
        self.activity = ElidedLabel(role="small")
        self.bar = ProgressBar(name=tr("Indexing"))
        self.pause_button = IconButton("pause", name=tr("Pause indexing"), size=16)
        self._progress = boxed(
            row(stretch(column(self.activity, self.bar)), self.pause_button, spacing=SPACE_M)
        )
        self.problem = WrappedLabel(role="warning")
        counts, _ = flow_row(self.searchable, self.problems, self.speech, self.offline, spacing=SPACE_M)
        column(counts, self.scans, self._progress, self.problem, on=self)
        for part in (self.problems, self.speech, self.offline, self.scans, self._progress, self.problem):
            part.hide()

    def show_state(self, state: CollectionState) -> None:
        """Show the indexing state; lines without content are hidden."""
        self.is_paused = state.activity is Activity.PAUSED
        self.searchable.setText(searchable_text(state))
        problems = problems_text(state)
        self.problems.set_label(f"{problems} ›")
        self.problems.setAccessibleName(problems)
        self.problems.setVisible(bool(problems))
        self.speech.setVisible(state.n_unheard > 0)
        self.offline.show_text(offline_text(state))
        self.scans.show_text(scans_text(state))
        activity, done = activity_text(state), fraction(state)
        self.activity.set_full_text(activity)
        self.bar.setVisible(done is not None)
        self.bar.set_fraction(done or 0.0)
        self.pause_button.set_icon("play" if self.is_paused else "pause")
        self.pause_button.set_name(tr("Resume indexing") if self.is_paused else tr("Pause indexing"))
        self._progress.setVisible(bool(activity))
        self.problem.show_text(state.problem)
