"""The tour of the first start: three skippable steps, shown once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
from PySide6.QtWidgets import QWidget

from fireside.core.hardware import Hardware
from fireside.core.i18n import tr, tr_noop
from fireside.ui.commands import Command, Commands
from fireside.ui.hardware.hardware_text import summary_text
from fireside.ui.kit.layout import at_left, boxed, column, form, row, scrolled, stacked, stretch
from fireside.ui.kit.sheet import Sheet
from fireside.ui.theme import SPACE_M, Theme
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import Label, WrappedLabel

_KEYS: Final = (Command.NEW_CHAT, Command.PALETTE, Command.FIND_CHAT, Command.SHORTCUTS)


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One page of the tour, with the command that its button runs."""

    icon: str
    title: str
    text: str
    command: Command
    button: str


STEPS: Final = (
    Step(
        icon="lock",
        title=tr_noop("Chats stay on this computer"),
        text=tr_noop(
            "Models run here, also without internet. Fireside connects only when you ask it to: to find and "
            "download models, or to use an engine or a tool that you turn on. Settings, Privacy, lists every "
            "connection."
        ),
        command=Command.SETTINGS,
        button=tr_noop("Open settings"),
    ),
    Step(
        icon="box",
        title=tr_noop("Find a better model for this computer"),
        text=tr_noop(
            "A small model is included, so that you can start at once. Larger ones answer much better: Find "
            "models says which fit this computer and how fast they are."
        ),
        command=Command.DISCOVER,
        button=tr_noop("Find models"),
    ),
    Step(
        icon="keyboard",
        title=tr_noop("Everything has a key"),
        text=tr_noop("These are the ones to begin with. You can change each of them."),
        command=Command.SHORTCUTS,
        button=tr_noop("All shortcuts"),
    ),
)


class TourSheet(Sheet):
    """Shows a step at a time. Escape and “Skip” end it."""

    def __init__(
        self,
        commands: Commands,
        *,
        run_command: Callable[[Command], None],
        request_hardware: Callable[[], None],
        theme: Theme,
        parent: QWidget,
    ) -> None:
        """``run_command`` runs a step's command after the tour has closed. ``request_hardware`` is called
        once, when the step about the computer is shown; its result is passed to ``show_computer``."""
        super().__init__(tr("Welcome to Fireside"), theme=theme, parent=parent)
        self._run_command = run_command
        self._request_hardware = request_hardware
        self._index = 0
        self._has_requested_hardware = False
        self.position = Label("", role="mute")
        self.computer = WrappedLabel(role="small")
        self.computer.hide()
        self.hardware = self.make_button(tr("Hardware"), lambda: self._finish_with(Command.HARDWARE))
        self.hardware.hide()
        self._pages = stacked(*(self._page(step, commands) for step in STEPS))
        self.skip = self.make_button(tr("Skip"), self.reject)
        self.back = self.make_button(tr("Back"), lambda: self._show(self._index - 1))
        self.next = self.make_button("", self._on_next, kind="primary", is_default=True)
        self.set_content(
            stretch(self._pages),
            buttons=(self.skip, self.position, stretch(), self.back, self.next),
        )
        self._show(0)

    def show_computer(self, hardware: Hardware) -> None:
        """Show a summary of the hardware, and problems with using it."""
        lines = (summary_text(hardware), *hardware.problems)
        self.computer.show_text("\n".join(lines))
        self.hardware.setVisible(bool(hardware.problems))

    @property
    def step(self) -> Step:
        """The current step."""
        return STEPS[self._index]

    def _page(self, step: Step, commands: Commands) -> QWidget:
        contents: list[QWidget] = [
            Label(tr(step.title), role="heading"),
            WrappedLabel(tr(step.text), role="body"),
        ]
        buttons = [self.make_button(tr(step.button), lambda: self._finish_with(step.command))]
        if step.command is Command.DISCOVER:
            contents.append(self.computer)
            buttons.append(self.hardware)
        if step.command is Command.SHORTCUTS:
            lines = (_key_line(commands, command) for command in _KEYS)
            contents.append(boxed(form(*lines, horizontal_spacing=SPACE_M)))
        picture = Picture(step.icon, theme=self.theme, tint="accent", size=28)
        return scrolled(
            column(at_left(picture), *contents, row(*buttons, stretch()), stretch(), spacing=SPACE_M)
        )

    def _show(self, index: int) -> None:
        self._index = index
        self._pages.setCurrentIndex(index)
        self.position.setText(tr("{n} of {all}").format(n=index + 1, all=len(STEPS)))
        if self.step.command is Command.DISCOVER and not self._has_requested_hardware:
            self._has_requested_hardware = True
            self._request_hardware()
        is_last = index == len(STEPS) - 1
        self.back.setVisible(index > 0)
        self.skip.setVisible(not is_last)
        self.next.setText(tr("Start chatting") if is_last else tr("Next"))

    def _on_next(self) -> None:
        if self._index == len(STEPS) - 1:
            self.accept()
        else:
            self._show(self._index + 1)

    def _finish_with(self, command: Command) -> None:
        self.accept()
        self._run_command(command)


def _key_line(commands: Commands, command: Command) -> tuple[QWidget, QWidget]:
    key = Label(commands.shortcut_text(command), role="badge")
    return boxed(row(key, stretch())), Label(commands.label(command))
