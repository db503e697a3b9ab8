"""The base class of a message's widget: editor, branch switcher, actions, pin, accessible name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from fireside.core.i18n import number, tr
from fireside.ui.chat.answer.actions import ActionRow, MessageAction
from fireside.ui.chat.answer.answer_text import accessible_message_name
from fireside.ui.chat.answer.message_editor import MessageEditor
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.answer.switcher import BranchSwitcher
from fireside.ui.chat.answer.text_view import TextWidget
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.kit.layout import destroy
from fireside.ui.theme import theme
from fireside.ui.widgets.tab_stops import is_tab_stop, previous_tab_stop

if TYPE_CHECKING:
    from fireside.ui.chat.transcript.transcript import Transcript

PADDING = 12
"""Pixels between a message's frame, which shows the focus, and the column."""
PIN = 14


def is_within(widget: QWidget | None, ancestor: QWidget) -> bool:
    """Return whether ``widget`` is ``ancestor`` or inside it."""
    return widget is not None and (widget is ancestor or ancestor.isAncestorOf(widget))


class MessageView(QFrame):
    """The widget of one ``Entry``, made when it scrolls into view and deleted or cached when it leaves."""

    height_changed = Signal()
    """The message must be laid out again."""
    controls_changed = Signal()
    """Buttons were added or removed: the tab order changed."""

    def __init__(self, style: TranscriptStyle, entry: Entry, parent: QWidget, *, handler: Transcript) -> None:
        super().__init__(parent)
        self._style = style
        self._entry = entry
        self._id = entry.message.id
        self._handler = handler
        self._actions: ActionRow | None = None
        self._switcher: BranchSwitcher | None = None
        self._editor: MessageEditor | None = None
        self._pin: QLabel | None = None
        self._is_hovered = False
        self._has_focus = False
        self._position = ""
        self.setMouseTracking(True)

    @property
    def text_views(self) -> Sequence[TextWidget]:
        """Text widgets, top down; ``Point.block`` is an index into these."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Show the entry as it is now."""
        raise NotImplementedError

    def height_for(self, width: int) -> int:
        """Lay out for a frame of ``width`` pixels and return the height."""
        raise NotImplementedError

    def show_edges(self, *, top: int, bottom: int) -> None:
        """Keep in sight what should be, between the edges of the view, in pixels of this widget."""

    def restyle(self, style: TranscriptStyle) -> None:
        """Apply another style."""
        self._style = style
        for part in (self._actions, self._switcher):
            if part is not None:
                part.restyle()
        if self._editor is not None:
            self._editor.restyle(style)
        self._draw_pin()

    def update_formulas(self) -> bool:
        """Show formulas that have been drawn since; return whether the height may have changed."""
        return False

    def source_of(self, index: int) -> str | None:
        """Return the Markdown that ``text_views[index]`` was made from; ``None`` where there is none."""
        raise NotImplementedError

    def continues(self, index: int) -> bool:  # noqa: ARG002 - one text
        """Return whether ``text_views[index]`` continues the lines of the one before."""
        return False

    @property
    def is_laid_out(self) -> bool:
        """Whether everything is laid out, and nothing follows in later event loop iterations."""
        return True

    def finish_layout(self) -> None:
        """Lay out everything now instead of in slices."""

    def show_more(self) -> bool:
        """Show more of a long text, laid out at once or in slices; return whether there was more."""
        return False

    @property
    def tab_stops(self) -> Sequence[QWidget]:
        """The widgets that Tab visits, top down."""
        raise NotImplementedError

    def update_accessible_name(self) -> None:
        entry = self._entry
        name = accessible_message_name(entry.message, text=entry.text, is_user=entry.is_user)
        if entry.siblings:
            version, n_siblings = entry.siblings.index(entry.message.id) + 1, len(entry.siblings)
            branch = tr("Version {place} of {all}.").format(place=number(version), all=number(n_siblings))
            name = f"{name} {branch}"
        self.setAccessibleName(tr("Pinned. {name}").format(name=name) if entry.is_pinned else name)

    def set_position(self, n: int, *, n_all: int) -> None:
        """Set which of how many messages this is, for screen readers; ``n`` counts from 1."""
        text = tr("Message {place} of {all}.").format(place=number(n), all=number(n_all))
        if text != self._position:
            self._position = text
            self.update_accessible_description()

    def update_accessible_description(self) -> None:
        """Set the accessible description: the position among the messages."""
        self.setAccessibleDescription(self._position)

    # Controls

    @property
    def control_tab_stops(self) -> list[QWidget]:
        """Tab stops of the editor, the branch switcher and the actions."""
        stops: list[QWidget] = [] if self._editor is None else self._editor.tab_stops
        if self._switcher is not None:
            stops += [self._switcher.before, self._switcher.after, self._switcher.compare]
        if self._actions is not None and not self._actions.isHidden():
            stops += self._actions.buttons
        return stops

    def set_focused(self, focused: bool) -> None:
        """Set whether the focus is in this message."""
        self._has_focus = focused
        self._show_actions()

    def step_branch(self, by: int) -> None:
        """Request the branch ``by`` steps further, if there is one."""
        if self._switcher is not None:
            self._switcher.step(by)

    def focus_editor(self) -> None:
        """Focus the message's editor."""
        if self._editor is not None:
            self._editor.focus_text()

    def store_edit_draft(self) -> None:
        """Store what was typed in the entry: this widget is removed, or the edit cancelled."""
        if self._editor is not None:
            self._editor.flush()
            typed = self._editor.text
            self._entry.edit_draft = None if typed == self._entry.text else typed

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002  # Qt's own name
        """Go from the message to its first tab stop, and back to the stop before that: not being a tab stop,
        the message has no position in the tab order."""
        stops = [stop for stop in self.tab_stops if is_tab_stop(stop)]
        if not (self.hasFocus() and stops):
            return super().focusNextPrevChild(next)
        if next:
            stops[0].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            previous_tab_stop(stops[0]).setFocus(Qt.FocusReason.BacktabFocusReason)
        return True

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._is_hovered = True
        self._show_actions()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._is_hovered = False
        self._show_actions()

    def _act(self, action: MessageAction) -> None:
        self._handler.act(self._id, action)

    def _open_menu(self, exclude: Sequence[MessageAction], at: QPoint) -> None:
        self._handler.open_menu(self._id, exclude=exclude, at=at)

    def _show_actions(self) -> None:
        """Show the action row while the message is hovered or focused."""
        is_needed = (self._is_hovered or self._has_focus) and not self._entry.is_being_edited
        if not is_needed:
            if self._actions is not None and not self._actions.isHidden():
                self._actions.hide()
            return
        if self._actions is None:
            self._actions = ActionRow(self, about=tr("Message details"))
            self._actions.action_requested.connect(self._act)
            self._actions.menu_requested.connect(self._open_menu)
        n_before = len(self._actions.buttons)
        self._place_actions(self._actions)
        if self._actions.isHidden() or len(self._actions.buttons) != n_before:
            self._actions.show()
            self.controls_changed.emit()
        self._actions.raise_()

    def _place_actions(self, row: ActionRow) -> None:
        """Set the row's geometry in a message that was laid out."""
        raise NotImplementedError

    def _show_controls(self) -> None:
        """Show or remove branch switcher, editor and pin, as the entry says."""
        entry = self._entry
        had = (self._switcher is not None, self._editor is not None)
        if len(entry.siblings) > 1 and self._switcher is None:
            self._switcher = self._make_switcher()
            self._switcher.branch_requested.connect(self._handler.choose_branch)
            self._switcher.compare.clicked.connect(lambda: self._act(MessageAction.SIDE_BY_SIDE))
            self._switcher.show()
        if len(entry.siblings) < 2 and self._switcher is not None:
            destroy(self._switcher)
            self._switcher = None
        if self._switcher is not None:
            self._switcher.set_branches(entry.siblings, current=entry.message.id)
            if not entry.is_user:
                self._switcher.offer_comparison()
        if entry.is_being_edited and self._editor is None:
            self._begin_edit()
        if not entry.is_being_edited and self._editor is not None:
            destroy(self._editor)
            self._editor = None
        self._draw_pin()
        if self._is_hovered or self._has_focus:
            self._show_actions()
        if had != (self._switcher is not None, self._editor is not None):
            self.controls_changed.emit()

    def _make_switcher(self) -> BranchSwitcher:
        return BranchSwitcher(self)

    def _begin_edit(self) -> None:
        entry = self._entry
        self._editor = MessageEditor(
            self._style,
            self,
            text=entry.text if entry.edit_draft is None else entry.edit_draft,
            action=tr("Send") if entry.is_user else tr("Save"),
            can_save_only=entry.is_user,
            name=tr("Edit message") if entry.is_user else tr("Edit answer"),
        )
        self._editor.saved.connect(lambda text: self._handler.editor.save(self._id, text))
        self._editor.saved_only.connect(lambda text: self._handler.editor.save_only(self._id, text))
        self._editor.cancel.clicked.connect(lambda: self._handler.editor.cancel(self._id))
        self._editor.draft_changed.connect(lambda text: self._handler.editor.save_draft(self._id, text))
        self._editor.height_changed.connect(self.height_changed)
        self._editor.show()

    def _draw_pin(self) -> None:
        if not self._entry.is_pinned:
            if self._pin is not None:
                destroy(self._pin)
                self._pin = None
            return
        if self._pin is None:
            self._pin = QLabel(self)
            self._pin.setToolTip(tr("Pinned"))
            self._pin.show()
        self._pin.setFixedSize(theme().scaled_up(PIN), theme().scaled_up(PIN))
        self._pin.setPixmap(theme().pixmap("pin", "accent", PIN, ratio=self.devicePixelRatioF()))
