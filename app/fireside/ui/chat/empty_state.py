"""The empty state of a new chat: greeting, the model's state, presets to start with, example prompts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QWidget

from fireside.core.generation import WaitReason
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.preset import Preset
from fireside.core.status import (
    Broken,
    LoadingModel,
    LoadStage,
    ModelState,
    OnRemoteEngine,
    Ready,
    Unloaded,
    Unloading,
)
from fireside.ui.chat.style import COLUMN_MARGIN, widest_column
from fireside.ui.kit.layout import at_left, boxed, column, destroy, row, space, stretch
from fireside.ui.model_text import preparing_text
from fireside.ui.preset_names import localized_about, localized_name
from fireside.ui.theme import SPACE_S, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX, PageScroll
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import plain_label, plain_tooltip, truncate_text

EXAMPLES = (
    (tr_noop("Explain something"), tr_noop("Explain in simple words why the sky is blue.")),
    (
        tr_noop("Help me write"),
        tr_noop("Write a short, friendly note to thank a neighbour for watering my plants."),
    ),
    (tr_noop("Make a plan"), tr_noop("Give me three ideas for a rainy Sunday at home.")),
)
"""Accessible title of a button, and the prompt that it shows and sends."""

SMALL_MODEL_PARAMS = 1_000_000_000
"""A model with fewer parameters often makes things up: the user is told before the first answer."""

_MIN_EXAMPLE_WIDTH = 120
_MAX_STARTERS = 6
_MIN_HEIGHT_FOR_MARK = 480
"""Pixels of height from which on the mark is shown."""
_MAX_STARTER_CHARS = 28
_CHOOSE = tr_noop("Choose a model to start.")
_SMALL = tr_noop("This is a very small model: fast, but often wrong.")
_PROMISE = tr_noop("Runs on this computer. Nothing you write leaves it unless you allow it.")


def model_state_text(name: str, state: ModelState | None) -> str:
    """Return whether the model is ready for the first message."""
    match state:
        case _ if not name:
            return f"{tr(_CHOOSE)} {tr(_PROMISE)}"
        case None | Unloaded() | Unloading():
            text = tr("{name} loads with your first message.").format(name=name)
            return f"{text} {tr(_PROMISE)}"
        case LoadingModel(waits_for=WaitReason()):
            return tr("{name} is queued to load.").format(name=name)
        case LoadingModel(stage=LoadStage.PREPARING):
            text = tr("Your first message is answered when this is done; everything else works already.")
            return f"{preparing_text(state)}. {text}"
        case LoadingModel(fraction=fraction):
            return tr("{name} is loading… {percent}%").format(name=name, percent=number(100 * fraction))
        case Ready():
            text = tr("{name} is ready.").format(name=name)
            return f"{text} {tr(_PROMISE)}"
        case Broken(error=error):
            return error.sentence
        case OnRemoteEngine(host=host):
            return tr("{name}: what you write here is sent to {host}.").format(name=name, host=host)
        case _:
            assert_never(state)


class _Example(QPushButton):
    """A button with an example prompt, elided to its width."""

    def __init__(self, prompt: str, *, parent: QWidget) -> None:
        super().__init__(prompt, parent)
        self.setObjectName("example")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._prompt = prompt

    def sizeHint(self) -> QSize:
        # One pixel more than measured, else rounding at fractional scales cuts text that fits.
        width = self.fontMetrics().horizontalAdvance(self._prompt) + self._padding_px() + 1
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(_MIN_EXAMPLE_WIDTH, super().sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.isVisible():
            self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        available_width = self.width() - self._padding_px()
        self.setText(
            self.fontMetrics().elidedText(self._prompt, Qt.TextElideMode.ElideRight, available_width)
        )

    def _padding_px(self) -> int:
        """Return the pixels left and right of the text that the style takes."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        content = QSize(_MIN_EXAMPLE_WIDTH, self.fontMetrics().height())
        kind = QStyle.ContentsType.CT_PushButton
        return self.style().sizeFromContents(kind, option, content, self).width() - _MIN_EXAMPLE_WIDTH


class EmptyState(PageScroll):
    """Shown in place of the transcript while there are no messages; scrolls in a low window."""

    example_clicked = Signal(str)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._theme = theme
        content = QWidget(self.viewport())
        self._column = QWidget(content)
        self._column.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._mark = boxed(column(at_left(Picture("flame", theme=theme, tint="accent", size=30)), space(14)))
        title = plain_label(tr("What can I help with?"), name="emptyTitle", parent=self._column)
        title.setWordWrap(True)
        self._label = plain_label("", name="emptyText", parent=self._column)
        self._label.setWordWrap(True)
        self.find_model = Button(tr("Find models"), theme=theme, icon="compass", kind="link", tint="accent")
        self.starters = Starters(theme=theme, parent=self._column)
        self._buttons = [self._example(tr(title), tr(prompt)) for title, prompt in EXAMPLES]
        column(
            stretch(factor=3),
            self._mark,
            title,
            space(8),
            self._label,
            space(6),
            at_left(self.find_model),
            space(20),
            self.starters,
            space(12),
            column(*self._buttons),
            space(8),
            stretch(factor=4),
            spacing=0,
            on=self._column,
        )
        # Far more stretch than the sides have: otherwise it is a few pixels narrower than the composer.
        row(
            stretch(factor=1),
            stretch(self._column, 1000),
            stretch(factor=1),
            margins=(COLUMN_MARGIN, 0, COLUMN_MARGIN - SCROLL_BAR_PX, 0),
            on=content,
        )
        self.setWidget(content)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.set_model("", None)

    def _example(self, title: str, prompt: str) -> QPushButton:
        button = _Example(prompt, parent=self._column)
        button.setAccessibleName(f"{title}: {prompt}")
        button.setToolTip(tr("Send: {prompt}").format(prompt=prompt))
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(lambda: self.example_clicked.emit(prompt))
        return button

    @property
    def displayed_text(self) -> str:
        return self._label.text()

    def set_model(self, name: str, state: ModelState | None, *, n_params: int = 0) -> None:
        """Set the model that will answer and its state; with an empty name, nothing can be sent."""
        text = model_state_text(name, state)
        is_small = 0 < n_params < SMALL_MODEL_PARAMS and isinstance(state, Ready | Unloaded | None)
        if is_small:
            text = f"{text}\n{tr(_SMALL)}"
        self.find_model.set_label(tr("Find larger models") if name else tr("Find models"))
        self.find_model.setVisible(is_small or not name)
        self._label.setText(text)
        for button in self._buttons:
            button.setEnabled(bool(name))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the logo in a low pane, so that the buttons are visible without scrolling."""
        super().resizeEvent(event)
        self._mark.setVisible(event.size().height() >= self._theme.scaled(_MIN_HEIGHT_FOR_MARK))

    def _on_theme_changed(self) -> None:
        self._column.setMaximumWidth(widest_column(self._theme))


class Starters(QWidget):
    """Buttons of the favourite presets; that of the chat's preset is checked."""

    preset_selected = Signal(object)
    """``Preset`` to start the chat with."""
    preset_cleared = Signal()
    """The checked button was clicked: the chat is to have no preset."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._presets: tuple[Preset, ...] = ()
        self._selected = ""
        self.buttons: list[Button] = []
        body, self._flow = flow_row(spacing=SPACE_S)
        column(body, on=self)
        self.all = Button(tr("All presets…"), theme=theme, kind="link", tint="accent")
        self._flow.addWidget(self.all)
        self.hide()

    def set_presets(self, presets: Sequence[Preset], *, selected: str) -> None:
        """Show the favourites of ``presets``; ``selected`` is the name of the chat's preset."""
        favourites = tuple(preset for preset in presets if preset.favourite)[:_MAX_STARTERS]
        if (favourites, selected) == (self._presets, self._selected):
            return
        self._presets, self._selected = favourites, selected
        for button in self.buttons:
            self._flow.removeWidget(button)
        destroy(*self.buttons)
        self.buttons = [self._button(preset) for preset in favourites]
        for index, button in enumerate(self.buttons):
            self._flow.insertWidget(index, button)
            button.show()
        self.setVisible(bool(presets))

    def _button(self, preset: Preset) -> Button:
        name = localized_name(preset)
        label = truncate_text(name, length=_MAX_STARTER_CHARS)
        button = Button(label, theme=self._theme, icon="bookmark", kind="starter", icon_px=14)
        button.setAccessibleName(tr("Use preset {name}").format(name=name))
        button.setAccessibleDescription(localized_about(preset))
        button.setToolTip(plain_tooltip(localized_about(preset) or name))
        button.setCheckable(True)
        button.setChecked(preset.name == self._selected)
        button.clicked.connect(lambda checked, preset=preset: self._on_clicked(preset, checked=checked))
        return button

    def _on_clicked(self, preset: Preset, *, checked: bool) -> None:
        if checked:
            self.preset_selected.emit(preset)
        else:
            self.preset_cleared.emit()
