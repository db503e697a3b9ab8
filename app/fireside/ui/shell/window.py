"""Creates the views and controllers of a window."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QObject, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QSplitter, QWidget

from fireside.bridge.client import EngineClient
from fireside.core.artifacts import ArtifactPlace
from fireside.core.errors import FiresideError, LoadError, RunnerError
from fireside.core.events import AppEvent
from fireside.core.ids import CollectionId, ModelId
from fireside.core.message import PassagesPart
from fireside.core.plan import LoadPlan
from fireside.settings.window_state import WindowState
from fireside.ui.answer_inspection import InspectionController
from fireside.ui.app_settings import AppSettings
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.chat.pane.load_recovery import LoadRecoveryController
from fireside.ui.collection_offer import CollectionOffer
from fireside.ui.commands import Command, Commands
from fireside.ui.compare import CompareController
from fireside.ui.documents.chat_collections import ChatCollections
from fireside.ui.downloads.download_controller import DownloadController
from fireside.ui.downloads.indicator import DownloadIndicator
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.header import Header
from fireside.ui.kit.layout import column, stretch
from fireside.ui.loading.load_text import change_text
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.palette import PaletteController
from fireside.ui.presets.preset_controller import PresetController
from fireside.ui.privacy.locking import LockController
from fireside.ui.projects.chat_project import ChatProject, ProjectParts
from fireside.ui.shell.about_sheet import AboutText
from fireside.ui.shell.answer_notes import AnswerNotifier, Notifier
from fireside.ui.shell.appearance import Appearance
from fireside.ui.shell.conversation_controller import ConversationController
from fireside.ui.shell.navigation import Navigation
from fireside.ui.shell.notices import FontHint, WindowNotices
from fireside.ui.shell.pages import WindowPages
from fireside.ui.shortcuts import ShortcutController
from fireside.ui.side_panel.chat_area import ChatArea
from fireside.ui.sidebar import Sidebar
from fireside.ui.sidebar.sidebar import WIDTH
from fireside.ui.slash import SlashController
from fireside.ui.speech.dictation import Dictation
from fireside.ui.speech.read_aloud import ReadAloud
from fireside.ui.speech.speech_view import NEED, SpeechView
from fireside.ui.speech.system_voice import make_speaker
from fireside.ui.speech.talk import Talk
from fireside.ui.speech.transcription import Transcription
from fireside.ui.taskbar import Taskbar
from fireside.ui.tasks import OnError, TaskRunner
from fireside.ui.tool_menu.server_offers import ServerOffers
from fireside.ui.tool_menu.skill_offers import SkillOffers
from fireside.ui.tool_menu.tool_menu_controller import ToolMenuController
from fireside.ui.transfer import TransferController
from fireside.ui.widgets.banner import BannerArea
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.toast import Toast
from fireside.ui.window_context import Router, WindowContext

if TYPE_CHECKING:
    from fireside.ui.artifacts.artifacts_controller import ArtifactsController
    from fireside.ui.documents.reader import MarkedPassage, Reader
    from fireside.ui.side_panel.panel import ChatSettingsPanel


@dataclass(frozen=True, kw_only=True)
class ProgramContext:
    """Dependencies that all windows of the program share. GUI thread only."""

    client: EngineClient
    tasks: TaskRunner
    """For requests that belong to no window."""
    make_tasks: Callable[[OnError], TaskRunner]
    """Makes the runner of a window's own requests; errors that no part handles go to the argument."""
    open_url: Callable[[str], None]
    """Opens an address in the user's browser."""
    reveal: Callable[[str], None]
    """Shows a file in the file manager."""
    about: Callable[[], AboutText]
    """Returns the texts of the “About” sheet."""


class Window(QMainWindow):
    """Creates and owns all parts of a window; dispatches no events. GUI thread only."""

    window_requested = Signal(object)
    """Carries the ``ConversationId`` to show in another window; ``None`` for a new chat."""
    quick_question_requested = Signal()
    """The user asked for the quick question window."""
    quit_requested = Signal()
    lock_requested = Signal()
    """The data is to be locked, and the passphrase asked for."""
    reopen_requested = Signal()
    """The data is to be encrypted or decrypted, which needs all windows closed for a while."""

    def __init__(
        self,
        program: ProgramContext,
        *,
        make_router: Callable[[Window], Router],
        make_taskbar: Callable[[QWidget], Taskbar],
        make_notifier: Callable[[QWidget], Notifier],
    ) -> None:
        """``make_router`` is called while no other part exists."""
        super().__init__()
        self.router = make_router(self)
        self._artifacts: ArtifactsController | None = None
        self.open_groups: set[str] = set()
        """The unfolded groups of the chat’s settings."""
        self.taskbar = make_taskbar(self)
        # A widget created with its final parent is styled once, not again at each reparenting.
        self.body = WindowBody(self)
        self.setCentralWidget(self.body)
        self.right = self.body.right
        tasks = program.make_tasks(self._show_error)
        self.models = ModelsView(self)
        self.commands = Commands(window=self)
        self.toast = Toast(parent=self.right, free=self._free_area, at_top=lambda: self._shows_chat)
        self.font_hint = FontHint(toast=self.toast)
        self.banners = BannerArea()
        self.notices = WindowNotices(
            area=self.banners,
            toast=self.toast,
            client=program.client,
            tasks=tasks,
            router=self.router,
            window=self,
        )
        self.context = WindowContext(
            client=program.client,
            tasks=tasks,
            models=self.models,
            commands=self.commands,
            settings=AppSettings(client=program.client, tasks=tasks, parent=self),
            toast=self.toast,
            router=self.router,
            show_error=self.notices.show_error,
            open_url=program.open_url,
            reveal=program.reveal,
            window=self,
        )
        self._make_body()
        self._make_pages()
        self._make_chat_parts()
        self._make_model_parts()
        self._make_program_parts(make_notifier(self))

    def _show_error(self, error: FiresideError) -> None:
        self.notices.show_error(error)

    def _make_body(self) -> None:
        context = self.context
        self.sidebar = Sidebar(context, parent=self.body)
        # Reparented so that it follows the sidebar in the Tab order.
        self.toast.setParent(None)
        self.toast.setParent(self.right)
        self.header = Header(context, menu=self._make_menu(), parent=self.right)
        self.navigation = Navigation(
            sidebar=self.sidebar,
            header=self.header,
            make=lambda page: self.pages.make(page),  # noqa: PLW0108 - they are made below
            parent=self.right,
        )
        self.body.fill(
            sidebar=self.sidebar, header=self.header, banners=self.banners, navigation=self.navigation
        )

    def _make_menu(self) -> QMenu:
        if sys.platform == "darwin":
            self.commands.add_menus(self.menuBar().addMenu)
        menu = Menu(self)
        self.commands.add_compact_menu(menu)
        return menu

    def _make_pages(self) -> None:
        context = self.context
        self.downloads_view = DownloadsView(self)
        self.chat_area = ChatArea(
            make_chat=self._make_chat,
            make_panel=self._make_panel,
            make_reader=self._make_reader,
            parent=self.navigation.stack,
        )
        self.download_controller = DownloadController(
            context, downloads=self.downloads_view, draw_attention=lambda: QApplication.alert(self)
        )
        self.speech = SpeechView(context, downloads=self.downloads_view)
        self.transfers = TransferController(context)
        self.pages = WindowPages(
            context,
            navigation=self.navigation,
            downloads=self.download_controller,
            downloads_view=self.downloads_view,
            speech=self.speech,
            transfers=self.transfers,
            chat_with=self._chat_with_collection,
            project_parts=lambda: ProjectParts(
                chats=self.sidebar.model,
                folders=self.sidebar.folders,
                presets=self.presets,
                collections=lambda: self.collections.kept,
            ),
        )
        self.chat_area.panel_toggled.connect(self.header.parameters.setChecked)
        self.chat_area.geometry_changed.connect(self.toast.reposition)
        self.navigation.add(Page.CHAT, self.chat_area)

    def _make_chat(self, parent: QWidget) -> QWidget:
        context = self.context
        self.chat = ChatPane(
            client=context.client, tasks=context.tasks, open_url=context.open_url, parent=parent
        )
        return self.chat

    def _make_panel(self, parent: QWidget) -> ChatSettingsPanel:
        # Imported when first opened: a start that does not show the panel does not load its modules.
        from fireside.ui.side_panel.panel import ChatSettingsPanel

        return ChatSettingsPanel(
            self.context,
            presets=self.presets,
            subject=lambda: self.conversations.subject,
            open_tools=self.tool_menu.open,
            open_groups=self.open_groups,
            parent=parent,
        )

    def _make_reader(self, parent: QWidget) -> Reader:
        from fireside.ui.documents.reader import Reader

        return Reader(self.context, parent=parent)

    def _make_chat_parts(self) -> None:
        context, chat = self.context, self.chat
        chat.transcript.citation_requested.connect(self._open_citation)
        chat.transcript.artifact_requested.connect(self._open_artifact)
        chat.transcript.opens_artifacts = True
        chat.transcript.finder.bar_toggled.connect(self.toast.reposition)
        self.conversations = ConversationController(context, sidebar=self.sidebar, chat=chat)
        self.inspection = InspectionController(
            context, transcript=chat.transcript, conversation_id=lambda: chat.conversation_id
        )
        self.comparison = CompareController(context, chat=chat)
        self.presets = PresetController(
            context,
            chat=chat,
            model_id=lambda: self.conversations.model_id,
            draft_id=lambda: self.conversations.draft_id,
            folder=lambda: self.conversations.folder,
        )
        self.conversations.draft_switched.connect(self.presets.settings.show_new_chat)
        settings = self.presets.settings
        self.collections = ChatCollections(context, chat=chat, settings=settings, read=self._read)
        offer = CollectionOffer(known=lambda: self.collections.kept, from_files=self.collections.from_files)
        self.presets.collections = self.sidebar.folders.collections = offer
        self.chat_project = ChatProject(
            context,
            chat=chat,
            folder=lambda: self.conversations.folder,
            set_new_folder=self.conversations.set_new_folder,
            folders=self.sidebar.folders,
        )
        self.presets.settings.changed.connect(self.chat_project.show)
        self.server_offers = ServerOffers(context, chat=chat, settings=settings)
        self.skill_offers = SkillOffers(context, chat=chat, settings=settings)
        offers = (self.collections, self.server_offers, self.skill_offers)
        self.slash = SlashController(
            context,
            chat=chat,
            presets=self.presets,
            extra_targets=lambda: [target for each in offers for target in each.targets()],
            refresh=self.skill_offers.refresh,
        )
        self.tool_menu = ToolMenuController(context, chat=chat, settings=settings)
        self.tool_menu.has_documents = lambda: self.collections.attached
        chat.transcript.message_actions.register(MessageAction.SAVE_AS, self._save_answer)
        self.dictation = Dictation(
            context,
            composer=chat.composer,
            conversation_id=lambda: chat.conversation_id,
            command=self.commands.actions[Command.DICTATE],
            set_up=self.set_up_speech,
        )
        self.read_aloud = ReadAloud(
            context, chat=chat, system=make_speaker(parent=self), set_up=self.set_up_speech
        )
        self.lock_controller = LockController(context)
        self.talk = Talk(context, chat=chat, reader=self.read_aloud, set_up=self.set_up_speech)
        self.transcription = Transcription(context, chat=chat, set_up=self.set_up_speech)
        talk = self.commands.actions[Command.TALK]
        chat.composer.talk_button.follow_shortcut(talk)
        chat.composer.talk_button.clicked.connect(talk.trigger)

    def set_up_speech(self, need: NEED, start: str, on_ready: Callable[[], object]) -> None:
        """Show what speech needs to be downloaded; the sheet's button, labelled ``start``, then begins."""

        async def show() -> None:
            from fireside.ui.speech.setup_sheet import SpeechSetupSheet

            await self.speech.read()
            SpeechSetupSheet(
                self.speech,
                need=need,
                start=start,
                on_ready=on_ready,
                choose=self.router.show_speech_models,
                parent=self,
            ).open()

        self.context.tasks.run(show())

    def show_speech_models(self) -> None:
        """Show all models of speech, once it is known what is here."""

        async def show() -> None:
            from fireside.ui.speech.setup_sheet import SpeechModelsSheet

            await self.speech.read()
            SpeechModelsSheet(self.speech, parent=self).open()

        self.context.tasks.run(show())

    def _save_answer(self, entry: Entry) -> None:
        summary = self.sidebar.model.summary(entry.message.conversation_id)
        self.transfers.show_save(entry, title="" if summary is None else summary.title)

    def _chat_with_collection(self, collection_id: CollectionId) -> None:
        self.conversations.clean_chat()
        self.collections.attach(collection_id)

    @Slot(int, object, str)
    def _open_citation(self, number: int, part: PassagesPart, answer: str) -> None:
        from fireside.ui.documents.reader import cited_passages

        self._read(*cited_passages(part, answer, opened=number))

    def _read(self, passages: Sequence[MarkedPassage], index: int) -> None:
        """Show a passage in its document, beside the chat."""
        reader = self.chat_area.reader
        reader.show_passages(passages, index)
        self.chat_area.show_panel(reader)
        reader.focus_document()

    @property
    def artifacts(self) -> ArtifactsController:
        """What works behind the panel of artifacts; made when one is first wanted."""
        if self._artifacts is None:
            from fireside.ui.artifacts.artifacts_controller import ArtifactsController

            self._artifacts = ArtifactsController(self.context, chat=self.chat, area=self.chat_area)
        return self._artifacts

    @Slot(object)
    def _open_artifact(self, place: ArtifactPlace) -> None:
        self.artifacts.open(place)

    def _handle_artifacts(self, event: AppEvent) -> None:
        if self._artifacts is not None:
            self._artifacts.handle(event)

    def flush_drafts(self) -> None:
        """Store what was typed and not stored yet: the window may close."""
        self.chat.flush_drafts()
        if self._artifacts is not None:
            self._artifacts.panel.flush()

    def _make_model_parts(self) -> None:
        context = self.context
        self.model_controller = ModelController(context, conversations=self.conversations, chat=self.chat)
        self.models.entries_changed.connect(self._offer_first_model)
        self.download_indicator = DownloadIndicator(
            downloads=self.downloads_view, button=self.sidebar.downloads, taskbar=self.taskbar, parent=self
        )

    @Slot()
    def _offer_first_model(self) -> None:
        """Offer a model below the new chat's composer, where there is none to work with."""
        if not self.models.is_known or self.models.has_full_model:
            return
        self.models.entries_changed.disconnect(self._offer_first_model)
        from fireside.ui.start import FirstModelOffer

        FirstModelOffer(self.context, chat=self.chat, downloads=self.downloads_view)

    def _make_program_parts(self, notifier: Notifier) -> None:
        context = self.context
        self.appearance = Appearance(context)
        self.shortcuts = ShortcutController(context)
        self.command_palette = PaletteController(
            context, presets=lambda: (*self.presets.targets(), *self.collections.targets())
        )
        self.answer_notifier = AnswerNotifier(
            context, notifier=notifier, title_of=self.command_palette.title_of
        )

    @property
    def handlers(self) -> tuple[Callable[[AppEvent], None], ...]:
        """The parts of the window that handle every event, in the order in which they are called."""
        return (
            self.chat.handle,
            self.conversations.handle,
            self.context.settings.handle,
            self.command_palette.handle,
            self.answer_notifier.handle,
            self.downloads_view.handle,
            self.transfers.handle,
            self.speech.handle,
            self.dictation.handle,
            self.read_aloud.handle,
            self.talk.handle,
            self.transcription.handle,
            self.presets.handle,
            self.collections.handle,
            self._handle_artifacts,
            self.server_offers.handle,
            self.font_hint.handle,
            self.sidebar.handle,
            self.pages.handle,
        )

    def _free_area(self) -> QRect:
        """Return where a toast may cover the page: panel, composer, chips and search stay uncovered."""
        if not self._shows_chat:
            return self.right.rect()
        highest = self.chat.chips if self.chat.chips.isVisible() else self.chat.composer
        uncovered = self.chat_area.uncovered_rect
        free = QRect(self.chat_area.mapTo(self.right, uncovered.topLeft()), uncovered.size())
        search = self.chat.transcript.finder.bar
        top = self.chat.stack.mapTo(self.right, QPoint(0, 0)).y()
        free.setTop(top if search.isHidden() else top + search.height())
        free.setBottom(highest.mapTo(self.right, QPoint(0, 0)).y() - 1)
        return free

    @property
    def _shows_chat(self) -> bool:
        return self.navigation.page is Page.CHAT


# Layout of a window: the sidebar, and to its right header, banners and the current page


_DEFAULT_SIZE: Final = (1180, 800)
_FRAME_PX: Final = 32
"""Approximate height of a title bar."""
_SIDEBAR_MIN_PX: Final = 216
_SIDEBAR_MAX_PX: Final = 420
_PAGE_MIN_PX: Final = 420
"""In a small window the sidebar shrinks before the page does."""
_COLLAPSES_BELOW_PX: Final = 720
"""A narrower window hides the sidebar until it is wider again or the user shows the sidebar."""


class WindowBody(QSplitter):
    """The central widget of a window. Keeps and restores the width of the sidebar."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, window)
        self._is_narrow = False
        self._width_before = 0
        """Width of a sidebar that was hidden automatically; 0 where the user decided."""
        self.right = QWidget(self)
        """All but the sidebar."""
        self.right.setMinimumWidth(_PAGE_MIN_PX)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)

    def fill(self, *, sidebar: Sidebar, header: Header, banners: BannerArea, navigation: Navigation) -> None:
        """Arrange the parts, which are children of this widget and of ``right``."""
        self._sidebar = sidebar
        self._navigation = navigation
        column(header, banners, stretch(navigation.stack), spacing=0, on=self.right)
        sidebar.setMinimumWidth(_SIDEBAR_MIN_PX)
        sidebar.setMaximumWidth(_SIDEBAR_MAX_PX)
        self.insertWidget(0, sidebar)
        self.setStretchFactor(0, 0)
        self.setStretchFactor(1, 1)

    @property
    def sidebar_width(self) -> int:
        """In device-independent pixels; 0 where the user has hidden it."""
        if self._width_before:  # also where it is shown again in a narrow window, narrower
            return self._width_before
        return self.sizes()[0] if self._is_sidebar_shown else 0

    @property
    def _is_sidebar_shown(self) -> bool:
        return self._sidebar.isVisibleTo(self.window())

    def resizeEvent(self, event: QResizeEvent) -> None:
        width = self.sizes()[0]
        super().resizeEvent(event)
        is_narrow = event.size().width() < _COLLAPSES_BELOW_PX
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        if is_narrow and self._is_sidebar_shown:
            self._width_before = width
            self._navigation.toggle_sidebar()
        elif not is_narrow and self._width_before:
            if not self._is_sidebar_shown:
                self._navigation.toggle_sidebar()
            self.setSizes([self._width_before, event.size().width() - self._width_before])
            self._width_before = 0

    def restore(self, window: QMainWindow, state: WindowState) -> None:
        """Restore position and size of ``window``, and the width of the sidebar."""
        screen_size = window.screen().availableSize()
        # A window larger than the screen could not be moved or resized.
        window.resize(
            min(_DEFAULT_SIZE[0], screen_size.width()),
            min(_DEFAULT_SIZE[1], screen_size.height() - _FRAME_PX),
        )
        if state.geometry:
            window.restoreGeometry(QByteArray(state.geometry))
        if state.sidebar_width == 0:
            self._navigation.toggle_sidebar()
        sidebar_width = min(max(state.sidebar_width or WIDTH, _SIDEBAR_MIN_PX), _SIDEBAR_MAX_PX)
        self.setSizes([sidebar_width, max(1, window.width() - sidebar_width)])
        self._is_narrow = window.width() < _COLLAPSES_BELOW_PX
        if self._is_narrow and self._is_sidebar_shown:
            # Now, before a width that has no room is taken for the user's.
            self._width_before = sidebar_width
            self._navigation.toggle_sidebar()


# Loads and unloads models, and opens the sheet of load settings


class ModelController(QObject):
    """Sends load requests of all parts of the window to the engine. GUI thread only."""

    def __init__(
        self, context: WindowContext, *, conversations: ConversationController, chat: ChatPane
    ) -> None:
        super().__init__(context.window)
        self._context = context
        self._conversations = conversations
        self.recovery = LoadRecoveryController(
            chat.pane_context, describe_change=self._smaller_plan_text, show_details=self.show_details
        )

    def load(self, model_id: str) -> None:
        """Load or reload a model with the settings of the open conversation."""

        def on_error(error: FiresideError) -> None:
            # A failed load is the model's state, which header and library show where the model is.
            if not isinstance(error, LoadError | RunnerError):
                self._context.show_error(error)

        request = self._context.client.models.load(
            ModelId(model_id), conversation_id=self._conversations.conversation_id
        )
        self._context.tasks.run(request, on_error=on_error)

    def unload(self, model_id: str) -> None:
        """Unload a model, or cancel its load."""
        request = self._context.client.models.unload(ModelId(model_id))
        self._context.tasks.run(request, on_error=self._context.show_error)

    def show_details(self, model_id: str) -> None:
        """Open the load settings of a model, with the settings of the open conversation."""
        entry = self._context.models.entry(ModelId(model_id))
        if entry is None or entry.spec is None or entry.spec.remote is not None:
            return
        from fireside.ui.loading.load_controller import LoadController
        from fireside.ui.loading.panel import LoadSheet

        context = self._context
        controller = LoadController(context, conversation_id=lambda: self._conversations.conversation_id)
        state = context.models.state(ModelId(model_id))
        LoadSheet(controller.panel, entry.spec, state=state, parent=context.window).open()

    def _smaller_plan_text(self, smaller: LoadPlan, usual: LoadPlan) -> str:
        """Return how a smaller load plan differs from the usual one."""
        entry = self._context.models.entry(smaller.model_id)
        n_layers = entry.spec.n_layers if entry is not None and entry.spec is not None else 0
        changes = change_text(smaller.options, before=usual.options, n_layers=n_layers)
        return changes or smaller.text.rstrip(".")
