"""One build of llama.cpp: what it is, how it stands, and what can be done with it."""

from __future__ import annotations

from typing import Final, Protocol

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import tr
from fireside.core.runtime import Runtime, RuntimeState
from fireside.ui.hardware.runtime_text import about_words, badge_words, result_words, runtime_name
from fireside.ui.kit.layout import boxed, in_middle, make_card, row, stretch
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel

_NAME_LEAST: Final = 200


class RuntimeActions(Protocol):
    """What can be done with runtimes; each is meant by its name, a new one by its path."""

    def add(self, path: str) -> None: ...
    def use(self, name: str) -> None: ...
    def test(self, name: str) -> None: ...
    def remove(self, name: str) -> None: ...
    def roll_back(self) -> None: ...
    def cancel(self) -> None: ...


class RuntimeRow(QFrame):
    """A card. Removing asks once more in the same place, since the files do not go to a trash."""

    def __init__(
        self,
        runtime: Runtime,
        *,
        in_use: bool,
        actions: RuntimeActions,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.runtime = runtime
        name = runtime_name(runtime.name)
        words, tone = badge_words(runtime, in_use=in_use)
        self.setAccessibleName(f"{name}: {words}")
        self.badge = Label(words, role="badge")
        self.badge.setProperty("tone", tone)
        self.result = WrappedLabel(
            result_words(runtime), role="error" if runtime.state is RuntimeState.FAILED else "small"
        )
        self.use = Button(tr("Use"), theme=theme, on_click=lambda: actions.use(runtime.name))
        self.use.setAccessibleName(tr("Use {name}").format(name=name))
        self.test = Button(tr("Test"), theme=theme, kind="quiet", on_click=lambda: actions.test(runtime.name))
        self.test.setAccessibleName(tr("Test {name}").format(name=name))
        self.remove = Button(tr("Remove"), theme=theme, kind="quiet")
        self.remove.setAccessibleName(tr("Remove {name}").format(name=name))
        self._can_be_removed = not in_use and not runtime.is_built_in
        self.remove.clicked.connect(self._ask_to_remove)
        self.question = Label(tr("Delete files?"), role="body")
        self.delete = Button(tr("Delete"), theme=theme, kind="danger")
        self.delete.setAccessibleName(tr("Delete {name}").format(name=name))
        self.delete.clicked.connect(lambda: actions.remove(runtime.name))
        self.keep = Button(tr("Keep"), theme=theme, kind="quiet", on_click=self._keep)
        self._lay_out(name, theme=theme)
        self.use.setVisible(not in_use and (runtime.state is RuntimeState.WORKS or runtime.is_built_in))
        self._show_question(is_asked=False)

    def set_busy(self, *, busy: bool) -> None:
        """Take or refuse wishes: one thing is done at a time."""
        for button in (self.use, self.test, self.remove, self.delete):
            button.setEnabled(not busy)

    def _lay_out(self, name: str, *, theme: Theme) -> None:
        title = ElidedLabel(name, role="strong")
        head = row(Picture("box", theme=theme, tint="mute"), title, in_middle(self.badge), stretch(factor=1))
        buttons = (self.question, self.delete, self.keep, self.remove, self.test, self.use)
        actions = boxed(row(*map(in_middle, buttons)))
        make_card(
            self,
            ResponsiveRow(boxed(head), actions, least=_NAME_LEAST, spacing=SPACE_S, theme=theme),
            WrappedLabel(about_words(self.runtime), role="mute"),
            self.result,
            spacing=SPACE_XS,
            margins=(SPACE_L, SPACE_M, SPACE_M, SPACE_M),
        )
        self.result.setVisible(bool(self.result.text()))

    @Slot()
    def _ask_to_remove(self) -> None:
        self._show_question(is_asked=True)
        self.keep.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _keep(self) -> None:
        self._show_question(is_asked=False)
        self.remove.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_question(self, *, is_asked: bool) -> None:
        for widget in (self.question, self.delete, self.keep):
            widget.setVisible(is_asked)
        self.remove.setVisible(self._can_be_removed and not is_asked)
        self.test.setVisible(not is_asked)
