"""The controller of message actions: regenerate, edit, continue, fork, pin, delete, go between branches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QMenu, QToolButton

from fireside.core.chat import TreeNode
from fireside.core.errors import FiresideError, RecordNotFound
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.core.model import ModelEntry, display_name
from fireside.core.options import SettingValue
from fireside.core.tool_calls import CallAnswer
from fireside.settings.values import ResolvedSetting
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.pane.pane_context import PaneContext
from fireside.ui.chat.style import column_width
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.theme import theme
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.text import escape_mnemonic, truncate_text

if TYPE_CHECKING:
    from fireside.ui.chat.pane.answer_form import RegenerateSheet
    from fireside.ui.chat.pane.tree_sheet import TreeSheet


class BranchController(QObject):
    """Does what the user chooses for a message, by requests to the engine. GUI thread only."""

    note_requested = Signal(str, str, object)
    """Text of a toast, label of its button, and what that does: ``Callable[[], None] | None``."""
    chat_requested = Signal(object)
    """``ConversationId`` to open."""
    seed_requested = Signal(object)
    """Seed of an answer, an unsigned 32-bit ``int``, to be reused in this conversation."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.pane)
        self._context = context
        self._client = context.client
        self._run = context.run
        self._transcript = context.transcript
        self._models: Callable[[], Sequence[ModelEntry]] = tuple
        self.pins = PinsButton(transcript=context.transcript)
        self.tree_sheet: TreeSheet | None = None
        self.regenerate_sheet: RegenerateSheet | None = None
        self.menu: QMenu | None = None
        self._register_actions()
        self._transcript.branch_requested.connect(self.choose_branch)
        self._transcript.call_answered.connect(self._on_call_answered)
        self._left_code: dict[tuple[MessageId, int, str], str] = {}
        """Code that was changed to be run and left: by its answer, its place there and what it was."""
        self._transcript.run_requested.connect(self._on_run_requested)
        self._transcript.runs_code = True
        self._transcript.editor.saved.connect(self._on_edit_saved)
        self._transcript.editor.saved_only.connect(self._on_saved_only)
        self._transcript.editor.draft_changed.connect(self._on_draft_changed)
        self._transcript.menu.tree_requested.connect(self.show_tree)

    def set_models(self, models: Callable[[], Sequence[ModelEntry]]) -> None:
        """Set ``models``, which returns the models that can answer."""
        self._models = models

    # Messages

    def _register_actions(self) -> None:
        register = self._transcript.message_actions.register
        register(MessageAction.ANSWER, self._answer)
        register(MessageAction.REGENERATE, self._answer)
        register(MessageAction.REGENERATE_WITH, self._show_regenerate_menu)
        register(MessageAction.CONTINUE, self._continue)
        register(MessageAction.ANSWER_NOW, self._answer_from_read)
        register(MessageAction.REUSE_SEED, self._reuse_seed)
        register(MessageAction.FORK, self._fork)
        register(MessageAction.PIN, self._toggle_pin)
        register(MessageAction.UNPIN, self._toggle_pin)
        register(MessageAction.DELETE, self._delete_from)
        register(MessageAction.DELETE_ONLY, self._delete_only)

    def act_on_last(self, action: MessageAction) -> bool:
        """Perform an action on the last message that is shown; return whether that was possible."""
        actions, entries = self._transcript.message_actions, self._transcript.entries
        is_possible = bool(entries) and action in actions.possible(entries[-1])
        if is_possible:
            actions.perform(entries[-1], action)
        return is_possible

    def _answer(self, entry: Entry) -> None:
        self._context.with_model(lambda model_id: self._regenerate(entry.message.id, model_id))

    def _continue(self, entry: Entry) -> None:
        branches, message_id = self._client.branches, entry.message.id
        self._context.with_model(
            lambda model_id: self._run(branches.continue_answer(message_id, model_id=model_id))
        )

    def _answer_from_read(self, entry: Entry) -> None:
        branches, message_id = self._client.branches, entry.message.id
        self._context.with_model(
            lambda model_id: self._run(branches.answer_from_read(message_id, model_id=model_id))
        )

    def _fork(self, entry: Entry) -> None:
        self._run(self._client.branches.fork(entry.message.id), on_done=self._on_forked)

    def _toggle_pin(self, entry: Entry) -> None:
        self._run(self._client.branches.set_pinned(entry.message.id, pinned=not entry.is_pinned))

    def _delete_from(self, entry: Entry) -> None:
        undo = self._offer_undo(entry.message.id, tr("Message and replies deleted"))
        self._run(self._client.branches.delete_from(entry.message.id), on_done=undo)

    def _delete_only(self, entry: Entry) -> None:
        undo = self._offer_undo(entry.message.id, tr("Message deleted"))
        self._run(self._client.branches.delete_only(entry.message.id), on_done=undo)

    def _reuse_seed(self, entry: Entry) -> None:
        record = entry.message.generation
        if record is not None and record.seed is not None:
            self.seed_requested.emit(record.seed)

    def _on_call_answered(self, message_id: MessageId, call_id: str, answer: CallAnswer) -> None:
        self._run(self._client.tools.answer_call(message_id, call_id, answer))

    def _on_run_requested(self, message_id: MessageId, code: str, offset: int, is_edited: bool) -> None:
        """Run code of an answer at once where it is confined and unchanged, else show it first."""
        generations = self._client.generations

        place = (message_id, offset, code)

        def run(code: str) -> None:
            self._left_code.pop(place, None)
            self._run(generations.run_code(message_id, code, offset=offset))

        def on_reach(reach: str) -> None:
            if not (reach or is_edited):
                run(code)
                return
            from fireside.ui.chat.pane.run_sheet import RunSheet

            RunSheet(
                self._left_code.get(place, code),
                reach=reach,
                on_run=run,
                on_left=lambda text: self._left_code.update({place: text}),
                parent=self._context.pane,
            ).open()

        self._run(self._client.tools.code_reach(), on_done=on_reach)

    def choose_branch(self, message_id: MessageId) -> None:
        """Show the branch with this message."""
        self._run(self._client.branches.choose_branch(message_id))

    def _on_edit_saved(self, message_id: MessageId, text: str) -> None:
        index = self._transcript.index_of(message_id)
        if index is None:
            return
        branches, entry = self._client.branches, self._transcript.entries[index]

        def on_done(_none: None) -> None:
            self._transcript.editor.end(message_id)
            if entry.is_user:
                self._context.pane.setFocus(Qt.FocusReason.OtherFocusReason)  # which the composer gets

        if entry.is_user:
            self._context.with_model(
                lambda model_id: self._run(
                    branches.edit_question(
                        message_id, text=text, model_id=model_id, without=entry.removed_files
                    ),
                    on_done=on_done,
                )
            )
        else:
            self._run(branches.edit_answer(message_id, text=text), on_done=on_done)

    def _on_saved_only(self, message_id: MessageId, text: str) -> None:
        index = self._transcript.index_of(message_id)
        if index is None:
            return
        without = self._transcript.entries[index].removed_files
        self._run(
            self._client.branches.replace_question(message_id, text=text, without=without),
            on_done=lambda _none: self._transcript.editor.end(message_id),
        )

    def _on_draft_changed(self, message_id: MessageId, text: str | None) -> None:
        if not self._context.saves_drafts:
            return

        def on_error(error: FiresideError) -> None:
            if not isinstance(error, RecordNotFound):  # it was deleted meanwhile
                self._context.show_error(error.info())

        work = self._client.branches.save_edit(message_id, text=text)
        self._context.tasks.run(work, on_error=on_error)

    def _offer_undo(self, message_id: MessageId, text: str) -> Callable[[None], None]:
        """Return a callback that shows ``text`` and offers to restore the message."""

        def undo() -> None:
            self._transcript.go_to_when_shown(message_id)
            self._run(self._client.branches.restore_from(message_id))

        return lambda _none: self.note_requested.emit(text, tr("Undo"), undo)

    def _on_forked(self, conversation_id: ConversationId) -> None:
        self.chat_requested.emit(conversation_id)
        self.note_requested.emit(tr("Branched into new chat"), "", None)

    # Answers

    def _regenerate(
        self, message_id: MessageId, model_id: ModelId, settings: Mapping[str, SettingValue] | None = None
    ) -> None:
        self._run(self._client.generations.regenerate(message_id, model_id=model_id, settings=settings or {}))

    def _show_regenerate_menu(self, entry: Entry) -> None:
        message_id = entry.message.id
        menu = Menu(self._context.pane)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for model in self._models():
            if model.spec is not None:
                self._add_model(menu, message_id, model, model_id=model.spec.id)
        menu.addSeparator()
        other = QAction(tr("Different settings…"), menu)
        other.triggered.connect(lambda: self._show_regenerate_sheet(message_id))
        menu.addAction(other)
        self.menu = menu
        menu.destroyed.connect(self._on_menu_closed)
        menu.popup(QCursor.pos())

    def _add_model(self, menu: QMenu, message_id: MessageId, entry: ModelEntry, *, model_id: ModelId) -> None:
        line = QAction(escape_mnemonic(display_name(entry)), menu)
        line.setCheckable(True)
        line.setChecked(model_id == self._context.model_id())
        line.triggered.connect(lambda: self._regenerate(message_id, model_id))
        menu.addAction(line)

    def _on_menu_closed(self) -> None:
        self.menu = None

    def _show_regenerate_sheet(self, message_id: MessageId) -> None:
        model_id = self._context.model_id()
        if model_id is None:
            self._context.prompt_for_model()
            return
        chosen = model_id

        def on_read(settings: tuple[ResolvedSetting, ...]) -> None:
            from fireside.ui.chat.pane.answer_form import RegenerateSheet

            self.regenerate_sheet = RegenerateSheet(
                self._models(),
                partial(self._regenerate, message_id),
                model_id=chosen,
                settings=settings,
                parent=self._context.pane.window(),
            )
            self.regenerate_sheet.open()

        work = self._client.settings.resolved(
            model_id=model_id, conversation_id=self._context.conversation_id()
        )
        self._run(work, on_done=on_read)

    # The tree

    def show_tree(self) -> None:
        """Show all branches of the conversation."""
        conversation_id = self._context.conversation_id()
        if conversation_id is None:
            return

        def on_read(nodes: tuple[TreeNode, ...]) -> None:
            from fireside.ui.chat.pane.tree_sheet import TreeSheet

            if conversation_id == self._context.conversation_id():
                self.tree_sheet = TreeSheet(nodes, self.go_to, parent=self._context.pane.window())
                self.tree_sheet.open()

        self._run(self._client.branches.tree(conversation_id), on_done=on_read)

    def go_to(self, message_id: MessageId) -> None:
        """Show a message, in its own branch if it is in another one."""
        if self._transcript.index_of(message_id) is not None:
            self._transcript.go_to(message_id)
            return
        self._run(
            self._client.branches.choose_branch(message_id),
            on_done=lambda _none: self._transcript.go_to_when_shown(message_id),
        )


# The button with the menu of a conversation's pinned messages


_EXCERPT_CHARS = 61
_EDGE_MARGIN = 12
_STRIP_MARGIN = 6


class PinsButton(QToolButton):
    """Shown in the transcript's upper right corner while the branch has pinned messages."""

    def __init__(self, *, transcript: Transcript) -> None:
        super().__init__(transcript)
        self.setObjectName("pinsButton")
        self._transcript = transcript
        self.menu_shown: QMenu | None = None
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.show_menu)
        transcript.pins_changed.connect(self.show_count)
        transcript.viewport().installEventFilter(self)
        theme().changed.connect(self._draw)
        self._draw()
        self.hide()

    def show_count(self) -> None:
        """Show the number of pinned messages; hide where there are none."""
        n = len(self._pinned())
        self.setVisible(n > 0)
        label = tr("%n pinned message|%n pinned messages", "", n)
        self.setText(f" {n}")
        self.setAccessibleName(label)
        self.setToolTip(label)
        self.adjustSize()
        self._update_position()

    def show_menu(self) -> None:
        """Open the menu of pinned messages."""
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.destroyed.connect(self._on_menu_closed)
        for message_id, label in self._pinned():
            line = QAction(escape_mnemonic(label), menu)
            line.triggered.connect(lambda _checked=False, id_=message_id: self._transcript.go_to(id_))
            menu.addAction(line)
        self.menu_shown = menu
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _on_menu_closed(self) -> None:
        self.menu_shown = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._update_position()
        return super().eventFilter(watched, event)

    def _pinned(self) -> list[tuple[MessageId, str]]:
        pinned: list[tuple[MessageId, str]] = []
        for entry in self._transcript.entries:
            if entry.is_pinned:
                who = tr("You") if entry.is_user else tr("Answer")
                text = " ".join(entry.text[: 2 * _EXCERPT_CHARS].split())
                pinned.append((entry.message.id, f"{who}: {truncate_text(text, length=_EXCERPT_CHARS)}"))
        return pinned

    def _update_position(self) -> None:
        """Move to the right of the column; where there is no space, to a reserved strip above it."""
        side_width = (self._transcript.width() - column_width(available=self._transcript.width())) // 2
        fits_beside = side_width >= self.width() + 2 * _EDGE_MARGIN
        self._transcript.column.reserve_top(
            self, 0 if fits_beside or self.isHidden() else self.height() + 2 * _STRIP_MARGIN
        )
        area = self._transcript.viewport().geometry()
        top = area.top() + _EDGE_MARGIN if fits_beside else area.top() - self.height() - _STRIP_MARGIN
        self.move(area.right() - self.width() - _EDGE_MARGIN, top)
        self.raise_()

    def _draw(self) -> None:
        theme().set_icon(self, "pin", "accent", 14)
        self.adjustSize()
