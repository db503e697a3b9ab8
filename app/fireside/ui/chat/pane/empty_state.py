"""A new chat: above its composer the question and the model's state, below it what to begin with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

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
from fireside.ui.kit.layout import column, destroy, row, stretch
from fireside.ui.model_text import SMALL_MODEL_PARAMS, preparing_text
from fireside.ui.preset_names import localized_about, localized_name
from fireside.ui.theme import SPACE_M, SPACE_S, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX, PageScroll
from fireside.ui.widgets.text import plain_label, plain_tooltip, truncate_text

_MIN_EXAMPLE_WIDTH = 120
_MAX_SUGGESTIONS = 3
_MAX_STARTERS = 6
_MAX_STARTER_CHARS = 28
_QUESTION = tr_noop("What can I help with?")
_TEMPORARY = tr_noop(
    "It is stored nowhere on this computer, remembers nothing, and is gone once you close it or open another "
    "chat."
)
_CHOOSE = tr_noop("Choose a model to start.")
_TEST = tr_noop(
    "This model is a test of the engine: far too small for real answers, and it only knows English."
)
_SMALL = tr_noop("This is a very small model: fast, but often wrong.")
_PROMISE = tr_noop("Runs on this computer. Nothing you write leaves it unless you allow it.")
_TEST_PARAMS = 200_000_000
"""A model with fewer parameters shows that everything works, and nothing more."""
_USUAL: Final = (
    tr_noop("Explain in simple words why the sky is blue."),
    tr_noop("Write a short, friendly note to thank a neighbour for watering my plants."),
    tr_noop("Give me three ideas for a rainy Sunday at home."),
)
# English in every language: the starter model knows no other one. Its answers to these seldom run in circles;
# most of its other answers are wrong, see architecture/models.md.
_OF_A_SMALL_MODEL: Final = (
    tr_noop("What is the water cycle?"),
    tr_noop("What is photosynthesis?"),
    tr_noop("What is a volcano?"),
)
_OF_PRESETS: Final = {
    "helper": _USUAL,
    "translator": (
        tr_noop("Good morning! Did you sleep well?"),
        tr_noop("I would like to book a table for two, please."),
        tr_noop("Where is the nearest railway station?"),
    ),
    "reviewer": (
        "def mean(numbers): return sum(numbers) / len(numbers)",
        "if (user.role = 'admin') { deleteAll(); }",
    ),
    "rewrite": (
        tr_noop("Send me the report now, I have been waiting for days."),
        tr_noop("Unfortunately we can not to come on saturday because of the wether."),
    ),
    "brainstorm": (
        tr_noop("Names for a small bakery by the river"),
        tr_noop("A birthday party for an eight-year-old"),
        tr_noop("What to do with a box of old jam jars"),
    ),
}
"""By the source of a preset that comes with the program; others work on what the user has."""


def suggestions(*, n_params: int, preset: str | None) -> tuple[str, ...]:
    """Return the prompts to suggest in the user's language.

    ``preset`` is the source of the chat's preset, empty for one of the user's; ``None`` without a preset.
    ``n_params`` is 0 where the model's size is not known.
    """
    if preset is not None:
        prompts = _OF_PRESETS.get(preset, ())
    else:
        prompts = _OF_A_SMALL_MODEL if 0 < n_params < SMALL_MODEL_PARAMS else _USUAL
    return tuple(tr(prompt) for prompt in prompts)


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
            return tr("What you write here is sent to {host}.").format(host=host)
        case _:
            assert_never(state)


class _Example(QPushButton):
    """A button with an example prompt, elided to its width."""

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("example")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.prompt = ""

    def set_prompt(self, prompt: str) -> None:
        """Show another prompt; an empty one hides the button."""
        self.prompt = prompt
        self.setAccessibleName(tr("Send: {prompt}").format(prompt=prompt))
        self.setToolTip(plain_tooltip(self.accessibleName()))
        self.setVisible(bool(prompt))
        self.updateGeometry()
        self._fit()

    def sizeHint(self) -> QSize:
        # One pixel more than measured, else rounding at fractional scales cuts text that fits.
        width = self.fontMetrics().horizontalAdvance(self.prompt) + self._padding_px() + 1
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
        self.setText(self.fontMetrics().elidedText(self.prompt, Qt.TextElideMode.ElideRight, available_width))

    def _padding_px(self) -> int:
        """Return the pixels left and right of the text that the style takes."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        content = QSize(_MIN_EXAMPLE_WIDTH, self.fontMetrics().height())
        kind = QStyle.ContentsType.CT_PushButton
        return self.style().sizeFromContents(kind, option, content, self).width() - _MIN_EXAMPLE_WIDTH


class EmptyChat(QWidget):
    """Above the composer of a new chat: the question, and the model's state. Stands at the bottom, so that
    nothing else moves when the state has more lines."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self._title = plain_label(tr(_QUESTION), name="emptyTitle", parent=self)
        self._temporary = plain_label(tr(_TEMPORARY), name="emptyText", parent=self)
        self._temporary.hide()
        self._label = plain_label("", name="emptyText", parent=self)
        labels = (self._title, self._temporary, self._label)
        for label in labels:
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        margins = (COLUMN_MARGIN, 0, COLUMN_MARGIN, SPACE_M)
        column(stretch(), *labels, spacing=SPACE_S, margins=margins, on=self)

    def clear(self) -> None:
        """Show the question alone: which model answers is not known yet."""
        self._label.setText("")

    def set_temporary(self, temporary: bool) -> None:
        """Set whether the chat is temporary, and say what that means."""
        self._title.setText(tr("Temporary chat") if temporary else tr(_QUESTION))
        self._temporary.setVisible(temporary)

    @property
    def displayed_text(self) -> str:
        return self._label.text()

    def set_model(self, name: str, state: ModelState | None, *, n_params: int = 0) -> None:
        """Set the model that will answer and its state; with an empty name, nothing can be sent."""
        text = model_state_text(name, state)
        if 0 < n_params < SMALL_MODEL_PARAMS and isinstance(state, Ready | Unloaded | None):
            text = tr(_TEST) if n_params < _TEST_PARAMS else f"{text}\n{tr(_SMALL)}"
        self._label.setText(text)


class StartArea(PageScroll):
    """Below the composer of a new chat: a model on offer, suggestions, presets; scrolls in a low window.

    It takes the same space whatever it shows, so that the composer stays where it is.
    """

    suggestion_clicked = Signal(str)
    """Carries the prompt to send."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self._n_params = 0
        self._has_model = False
        self._preset: str | None = None
        self._material: set[str] = set()
        content = QWidget(self.viewport())
        self._column = QWidget(content)
        self._column.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._offer = column(spacing=0)
        self.starters = Starters(parent=self._column)
        self.starters.preset_shown.connect(self._on_preset_shown)
        self.buttons = [self._make_button() for _ in range(_MAX_SUGGESTIONS)]
        column(
            self._offer,
            column(*self.buttons, spacing=SPACE_S),
            self.starters,
            stretch(),
            spacing=SPACE_M,
            margins=(0, SPACE_S, 0, SPACE_S),
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
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.set_model(has_model=False)

    def set_model(self, *, has_model: bool, n_params: int = 0) -> None:
        """Set whether a model will answer, and its size, on which the suggestions depend."""
        self._has_model, self._n_params = has_model, n_params
        self._show_suggestions()

    def set_material(self, kind: str, *, has_any: bool) -> None:
        """Set whether the draft has material of a kind, such as files, which no suggestion is about."""
        self._material = self._material | {kind} if has_any else self._material - {kind}
        self._show_suggestions()

    def add_offer(self, offer: QWidget) -> None:
        """Show a card above the suggestions; it hides itself where there is nothing to offer."""
        self._offer.addWidget(offer)

    @property
    def suggestions(self) -> tuple[str, ...]:
        """The prompts that are suggested now."""
        return tuple(button.prompt for button in self.buttons if button.prompt)

    def _make_button(self) -> _Example:
        button = _Example(parent=self._column)
        button.clicked.connect(lambda: self.suggestion_clicked.emit(button.prompt))
        return button

    def _on_preset_shown(self, preset: Preset | None) -> None:
        self._preset = None if preset is None else preset.source
        self._show_suggestions()

    def _show_suggestions(self) -> None:
        # Without a model nothing can be sent, and that is said above.
        has_any = self._has_model and not self._material
        prompts = suggestions(n_params=self._n_params, preset=self._preset) if has_any else ()
        for index, button in enumerate(self.buttons):
            button.set_prompt(prompts[index] if index < len(prompts) else "")

    def _on_theme_changed(self) -> None:
        self._column.setMaximumWidth(widest_column())


class Starters(QWidget):
    """Buttons of the favourite presets; that of the chat's preset is checked."""

    preset_selected = Signal(object)
    """``Preset`` to start the chat with."""
    preset_cleared = Signal()
    """The checked button was clicked: the chat is to have no preset."""
    preset_shown = Signal(object)
    """The chat's ``Preset`` is another one; ``None`` for none."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presets: tuple[Preset, ...] = ()
        self._selected = ""
        self.buttons: list[Button] = []
        body, self._flow = flow_row(spacing=SPACE_S)
        column(body, on=self)
        self.all = Button(tr("All presets…"), kind="link", tint="accent")
        self._flow.addWidget(self.all)
        self.hide()

    def set_presets(self, presets: Sequence[Preset], *, selected: str) -> None:
        """Show the favourites of ``presets``; ``selected`` is the name of the chat's preset.

        They are hidden from users who have not met presets yet: who neither made nor used one.
        """
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
        are_known = any(not preset.source or preset.remembered for preset in presets)
        self.setVisible(bool(presets) and (are_known or bool(selected)))
        self.preset_shown.emit(next((preset for preset in presets if preset.name == selected), None))

    def _button(self, preset: Preset) -> Button:
        name = localized_name(preset)
        label = truncate_text(name, length=_MAX_STARTER_CHARS)
        button = Button(label, icon="bookmark", kind="starter", icon_px=14)
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
