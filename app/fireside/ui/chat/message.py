"""What the two kinds of message have in common, and the person's own."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QTextEdit, QWidget

from fireside.core.i18n import number, tr
from fireside.ui.chat.actions import ActionRow, MessageAction, actions_for
from fireside.ui.chat.answer_text import spoken_name
from fireside.ui.chat.blocks import RichText
from fireside.ui.chat.markdown_html import clean, plain_html
from fireside.ui.chat.message_editor import MessageEditor
from fireside.ui.chat.message_item import FOLDED, Entry
from fireside.ui.chat.sent_files import SentFiles
from fireside.ui.chat.switcher import BranchSwitcher
from fireside.ui.chat.transcript_style import Look

PADDING = 12
"""Between a message's frame, which shows the keyboard focus, and the column."""
_BUBBLE_SIDE = 15
_BUBBLE_TOP = 10
_BUBBLE_BOTTOM = 7
_PIN = 14
_ACTIONS = 26
_ACTIONS_GAP = 6
_FILES_GAP = 8
_BUBBLE_SHARE = 0.72
"""Widest bubble, as a part of the column."""


class MessageView(QFrame):
    """A message on the screen. Made when it scrolls into view and deleted when it leaves."""

    height_changed = Signal()
    """It needs to be laid out again."""
    action_wanted = Signal(object)
    """``MessageAction`` that a person chose."""
    branch_wanted = Signal(object)
    """``MessageId`` of the sibling to show."""
    edit_saved = Signal(str)
    edit_left = Signal()
    edit_rested = Signal(str)
    """What is made of the words at the moment, not saved yet."""
    controls_changed = Signal()
    """Buttons have come or gone."""

    def __init__(self, look: Look, entry: Entry, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._entry = entry
        self._actions: ActionRow | None = None
        self._switcher: BranchSwitcher | None = None
        self._editor: MessageEditor | None = None
        self._pin: QLabel | None = None
        self._is_hovered = False
        self._has_focus = False
        self._position = ""
        self.setMouseTracking(True)

    @property
    def edits(self) -> Sequence[QTextEdit]:
        """Texts that can be selected, top down; a ``Point``'s block is an index into these."""
        raise NotImplementedError

    def refresh(self) -> None:
        """The entry has changed."""
        raise NotImplementedError

    def height_for(self, width: int) -> int:
        """Lay out for a frame of ``width`` pixels and return the height."""
        raise NotImplementedError

    def restyle(self, look: Look) -> None:
        """The theme changed."""
        self._look = look
        for part in (self._actions, self._switcher, self._editor):
            if part is not None:
                part.restyle(look)
        self._draw_pin()

    def take_formulas(self) -> bool:
        """Show formulas that have been drawn since. Returns whether the height may have changed."""
        return False

    def source_of(self, index: int) -> str | None:
        """Markdown that ``edits[index]`` was made from; ``None`` where it is not a part of its own."""
        raise NotImplementedError

    def continues(self, index: int) -> bool:  # noqa: ARG002 - one text
        """Whether ``edits[index]`` goes on with the lines of the one before."""
        return False

    @property
    def is_laid_out(self) -> bool:
        """Whether everything that is to be shown is there, and nothing follows in turns of the event loop."""
        return True

    def complete(self) -> None:
        """Lay out everything that is to be shown at once."""

    @property
    def tab_stops(self) -> Sequence[QWidget]:
        """What Tab goes through, top down."""
        raise NotImplementedError

    def name_for_reader(self) -> None:
        entry = self._entry
        name = spoken_name(entry.message, text=entry.text, is_user=entry.is_user)
        if entry.siblings:
            place, n_siblings = entry.siblings.index(entry.message.id) + 1, len(entry.siblings)
            branch = tr("Branch {place} of {all}.").format(place=number(place), all=number(n_siblings))
            name = f"{name} {branch}"
        self.setAccessibleName(tr("Pinned. {name}").format(name=name) if entry.is_pinned else name)

    def set_position(self, place: int, *, n_all: int) -> None:
        """Tell a screen reader which of how many messages it is."""
        words = tr("Message {place} of {all}.").format(place=number(place), all=number(n_all))
        if words != self._position:
            self._position = words
            self.describe_for_reader()

    def describe_for_reader(self) -> None:
        """Say what a screen reader tells besides the name."""
        self.setAccessibleDescription(self._position)

    # What can be done with it

    @property
    def control_stops(self) -> list[QWidget]:
        """What Tab goes through of the editor, the branches and the actions."""
        stops: list[QWidget] = [] if self._editor is None else self._editor.tab_stops
        if self._switcher is not None:
            stops += [self._switcher.before, self._switcher.after, self._switcher.compare]
        if self._actions is not None and not self._actions.isHidden():
            stops += self._actions.buttons
        return stops

    def set_focused(self, focused: bool) -> None:
        """The keyboard is in this message, or has left it."""
        self._has_focus = focused
        self._show_actions()

    def step_branch(self, by: int) -> None:
        """Ask for a neighbouring branch, if there is one."""
        if self._switcher is not None:
            self._switcher.step(by)

    def take_focus_to_edit(self) -> None:
        """Put the cursor into the words that are being changed."""
        if self._editor is not None:
            self._editor.take_focus()

    def keep_edit(self) -> None:
        """Remember what was typed: this widget is going, or the words are left as they were."""
        if self._editor is not None:
            self._editor.flush()
            typed = self._editor.text
            self._entry.edit = None if typed == self._entry.text else typed

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._is_hovered = True
        self._show_actions()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._is_hovered = False
        self._show_actions()

    def _show_actions(self) -> None:
        """Offer what can be done while the pointer or the keyboard is here."""
        wanted = (self._is_hovered or self._has_focus) and not self._entry.is_edited_now
        if not wanted:
            if self._actions is not None and not self._actions.isHidden():
                self._actions.hide()
            return
        if self._actions is None:
            about = tr("About your message") if self._entry.is_user else tr("About the answer")
            self._actions = ActionRow(self._look, self, about=about)
            self._actions.wanted.connect(self.action_wanted)
        n_before = len(self._actions.buttons)
        self._place_actions(self._actions)
        if self._actions.isHidden() or len(self._actions.buttons) != n_before:
            self._actions.show()
            self.controls_changed.emit()
        self._actions.raise_()

    def _place_actions(self, row: ActionRow) -> None:
        """Put the row where it belongs in a message that was laid out."""
        raise NotImplementedError

    def _show_controls(self) -> None:
        """Show what the entry says of branches, pin and editing."""
        entry = self._entry
        had = (self._switcher is not None, self._editor is not None)
        if len(entry.siblings) > 1 and self._switcher is None:
            self._switcher = BranchSwitcher(self._look, self)
            self._switcher.wanted.connect(self.branch_wanted)
            self._switcher.compare_wanted.connect(lambda: self.action_wanted.emit(MessageAction.SIDE_BY_SIDE))
            self._switcher.show()
        if len(entry.siblings) < 2 and self._switcher is not None:
            _remove(self._switcher)
            self._switcher = None
        if self._switcher is not None:
            self._switcher.put(entry.siblings, shown=entry.message.id)
            if not entry.is_user:
                self._switcher.offer_comparison()
        if entry.is_edited_now and self._editor is None:
            self._begin_edit()
        if not entry.is_edited_now and self._editor is not None:
            _remove(self._editor)
            self._editor = None
        self._draw_pin()
        if self._is_hovered or self._has_focus:
            self._show_actions()
        if had != (self._switcher is not None, self._editor is not None):
            self.controls_changed.emit()

    def _begin_edit(self) -> None:
        entry = self._entry
        self._editor = MessageEditor(
            self._look,
            self,
            text=entry.text if entry.edit is None else entry.edit,
            action=tr("Send") if entry.is_user else tr("Save"),
            name=tr("Change your message") if entry.is_user else tr("Change the answer"),
        )
        self._editor.saved.connect(self.edit_saved)
        self._editor.left.connect(self.edit_left)
        self._editor.rested.connect(self.edit_rested)
        self._editor.height_changed.connect(self.height_changed)
        self._editor.show()

    def _draw_pin(self) -> None:
        if not self._entry.is_pinned:
            if self._pin is not None:
                _remove(self._pin)
                self._pin = None
            return
        if self._pin is None:
            self._pin = QLabel(self)
            self._pin.setFixedSize(_PIN, _PIN)
            self._pin.setToolTip(tr("Pinned"))
            self._pin.show()
        self._pin.setPixmap(self._look.theme.pixmap("pin", "accent", _PIN, ratio=self.devicePixelRatioF()))


def _remove(widget: QWidget) -> None:
    widget.hide()
    widget.deleteLater()


class QuestionView(MessageView):
    """What the person wrote: plain text in a bubble at the right; a long one can be unfolded."""

    def __init__(self, look: Look, entry: Entry, parent: QWidget) -> None:
        super().__init__(look, entry, parent)
        self.setObjectName("question")
        self._bubble = QFrame(self)
        self._bubble.setObjectName("bubble")
        self._bubble.setMouseTracking(True)
        self._text = RichText(look, self._bubble)
        self._more = self._button(tr("Show more"), tr("Show more of your message"))
        self._less = self._button(tr("Show less"), tr("Show less of your message"))
        self._more.clicked.connect(self._on_more)
        self._less.clicked.connect(self._on_less)
        attached = entry.message.message.attached
        self._files = SentFiles(attached, theme=look.theme, parent=self) if attached else None
        self.refresh()

    def _button(self, text: str, name: str) -> QPushButton:
        button = QPushButton(text, self._bubble)
        button.setObjectName("showMore")
        button.setAccessibleName(name)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    @property
    def edits(self) -> Sequence[QTextEdit]:
        return (self._text,)

    def source_of(self, index: int) -> str | None:  # noqa: ARG002 - one text
        return self._entry.text

    @property
    def tab_stops(self) -> Sequence[QWidget]:
        files = self._files.chips if self._files is not None else ()
        return (*files, self._more, self._less, *self.control_stops)

    def name_for_reader(self) -> None:
        super().name_for_reader()
        self.describe_for_reader()

    def describe_for_reader(self) -> None:
        files = tr("Attached: {names}").format(names=self._files.names) if self._files is not None else ""
        self.setAccessibleDescription(" ".join(filter(None, (self._position, files))))

    def refresh(self) -> None:
        entry = self._entry
        self._show_controls()
        self._bubble.setVisible(not entry.is_edited_now and (bool(entry.text) or self._files is None))
        shown = clean(entry.shown_text)
        self._text.set_html(plain_html(shown + (FOLDED if entry.n_hidden else "")))
        self._more.setVisible(entry.n_hidden > 0)
        if entry.n_hidden:
            self._more.setText(tr("Show more (%n character)|Show more (%n characters)", "", entry.n_hidden))
        folded = Entry(message=entry.message, text=entry.text, phase=None, n_shown=entry.n_shown)
        folded.show_less()
        self._less.setVisible(entry.n_shown > folded.n_shown)
        self.name_for_reader()

    def height_for(self, width: int) -> int:
        inner = width - 2 * PADDING
        top = self._place_files(inner, y=8)
        if self._editor is not None:
            height = self._editor.height_for(inner)
            self._editor.setGeometry(PADDING, top - 2, inner, height)
            return self._place_below(inner, y=top - 2 + height)
        widest = int(inner * _BUBBLE_SHARE) - 2 * _BUBBLE_SIDE
        self._text.height_for(widest)
        buttons = [button for button in (self._more, self._less) if not button.isHidden()]
        least = sum(button.sizeHint().width() + 8 for button in buttons)
        text_width = min(widest, max(ceil(self._text.document().idealWidth()) + 1, least))
        text_height = self._text.height_for(text_width)
        self._text.setGeometry(_BUBBLE_SIDE, _BUBBLE_TOP, text_width, text_height)
        y = _BUBBLE_TOP + text_height
        x = _BUBBLE_SIDE - 4
        for button in buttons:
            size = button.sizeHint()
            button.setGeometry(x, y + 4, size.width(), size.height())
            x += size.width() + 8
        if buttons:
            y += 4 + buttons[0].sizeHint().height()
        bubble_width = text_width + 2 * _BUBBLE_SIDE
        height = y + (_BUBBLE_TOP if buttons else _BUBBLE_BOTTOM)
        left = PADDING + inner - bubble_width
        if self._bubble.isHidden():  # files alone
            left, top, bubble_width, height = PADDING + inner, 8, 0, top - 8
        self._bubble.setGeometry(left, top, bubble_width, height)
        if self._pin is not None:
            self._pin.move(left - _PIN - 8, top + _BUBBLE_TOP)
        if self._actions is not None and not self._actions.isHidden():
            self._place_actions(self._actions)
        return self._place_below(inner, y=top + height)

    def _place_files(self, inner: int, *, y: int) -> int:
        """Place what is attached; returns where the words begin."""
        if self._files is None:
            return y
        height = self._files.height_for(inner)
        self._files.setGeometry(PADDING, y, inner, height)
        return y + height + _FILES_GAP

    def _place_below(self, inner: int, *, y: int) -> int:
        """Place the branches below the message; returns the height of all."""
        if self._switcher is None:
            return y + 10
        size = self._switcher.sizeHint()
        self._switcher.setGeometry(PADDING + inner - size.width(), y + 3, size.width(), size.height())
        return y + 3 + size.height() + 4

    def _place_actions(self, row: ActionRow) -> None:
        bubble = self._bubble.geometry()
        pin = 0 if self._pin is None else _PIN + 8
        room = bubble.left() - PADDING - pin - _ACTIONS_GAP
        width = row.put(actions_for(self._entry), room=room)
        row.setGeometry(
            bubble.left() - pin - _ACTIONS_GAP - width, bubble.bottom() - _ACTIONS - 2, width, _ACTIONS
        )

    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self._text.set_look(look)
        if self._files is not None:
            self._files.restyle()

    def _on_more(self) -> None:
        self._entry.show_more()
        self.refresh()
        self.height_changed.emit()

    def _on_less(self) -> None:
        self._entry.show_less()
        self.refresh()
        self.height_changed.emit()
