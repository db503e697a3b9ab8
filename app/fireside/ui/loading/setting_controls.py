"""Controls of load settings: sliders, choices, devices. Next to “Auto” they show the plan's value."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.options import SettingValue
from fireside.core.plan import LoadPlan
from fireside.core.runtime import RUNTIME_KEY, Runtime, RuntimeChoice, RuntimeState
from fireside.settings.values import Origin, SettingDefinition
from fireside.ui.hardware.runtime_text import runtime_name
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.kit.number_field import NumberSlider
from fireside.ui.loading.pending_options import AUTO_LABELS, PendingOptions, auto_value
from fireside.ui.theme import SPACE_S, SPACE_XS, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.switch import Switch
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel

_NAME_LEAST: Final = 200
_AUTO_TIP: Final = tr_noop("Chosen automatically to fit")
_AS_EVERYWHERE: Final = ""
_RUNTIME_TIP: Final = tr_noop("llama.cpp build for this model (tested ones only)")
_OWN_RUNTIME: Final = (Origin.MODEL, Origin.CONVERSATION)


OnEdit = Callable[[Mapping[str, SettingValue]], None]
"""Called with the new values by setting key."""


class LoadControl(QWidget):
    """Base class: one load setting with its label and current value."""

    def __init__(self, *, label: str, explanation: str, theme: Theme) -> None:
        super().__init__()
        self.label = label
        self.value_text = ElidedLabel(role="body")
        name = ElidedLabel(label, role="strong")
        # Where space is short, the value is truncated, not the label.
        name.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.head = row()
        """The layout for controls next to the label."""
        self.column = column(
            ResponsiveRow(
                boxed(row(name, self.value_text, stretch(factor=1))),
                boxed(self.head),
                min_first_width=_NAME_LEAST,
                spacing=SPACE_S,
                theme=theme,
            ),
            spacing=SPACE_XS,
            on=self,
        )
        self.setToolTip(explanation)

    @abstractmethod
    def show_options(self, options: PendingOptions, plan: LoadPlan | None) -> None:
        """Show the selected value, or the plan's where Fireside decides. Calls no handler."""


class SliderControl(LoadControl):
    """A number with fixed stops, chosen by the user or by Fireside."""

    def __init__(
        self,
        definition: SettingDefinition,
        *,
        label: str,
        stops: Sequence[int],
        text: Callable[[int], str],
        fitted: Callable[[LoadPlan], int] | None = None,
        on_edit: OnEdit,
        theme: Theme,
    ) -> None:
        """``stops`` is ascending, ``text`` returns a stop's text, ``fitted`` returns the value of a plan.

        Without ``fitted`` there is no “Auto”.
        """
        super().__init__(label=label, explanation=tr(definition.help), theme=theme)
        self._key = definition.key
        self._auto = auto_value(definition)
        self._on_edit = on_edit
        self._words = text
        self._fitted = fitted
        self._number = stops[0]
        self.slider = NumberSlider(stops)
        self.slider.setAccessibleDescription(tr(definition.help))
        self.slider.moved.connect(self._on_moved)
        self.auto = Switch(name=f"{label}: {tr(AUTO_LABELS)}", theme=theme, parent=self)
        self.auto.setToolTip(tr(_AUTO_TIP))
        self.auto.setAccessibleDescription(tr(_AUTO_TIP))
        self.auto.clicked.connect(self._on_auto)
        if fitted is None:
            self.auto.hide()
        else:
            self.head.addWidget(Label(tr(AUTO_LABELS), role="small"))
        self.head.addWidget(self.auto)
        self.column.addWidget(self.slider)

    @property
    def number(self) -> int:
        """The number shown."""
        return self._number

    def show_options(self, options: PendingOptions, plan: LoadPlan | None) -> None:
        is_auto = self._fitted is not None and options.is_auto(self._key)
        self.auto.setChecked(is_auto)
        self.auto.setEnabled(options.can_be_auto(self._key))
        value = options.value(self._key)
        if is_auto and plan is None:
            self.value_text.set_full_text("")
            self._name(tr("automatic"))
            return
        number = self._fitted(plan) if is_auto and plan is not None and self._fitted is not None else value
        if isinstance(number, int):
            self._number = number
            self.slider.show_number(number)
            self._show_value(is_auto=is_auto)

    def _show_value(self, *, is_auto: bool) -> None:
        words = self._words(self._number)
        self.value_text.set_full_text(words)
        self._name(f"{words}, {tr(AUTO_LABELS)}" if is_auto else words)

    def _name(self, text: str) -> None:
        self.slider.setAccessibleName(f"{self.label}: {text}")

    def _on_moved(self, number: float) -> None:
        self._number = int(number)
        self._show_value(is_auto=False)
        self._on_edit({self._key: self._number})

    def _on_auto(self) -> None:
        self._on_edit({self._key: self._auto if self.auto.isChecked() else self._number})


Choice = tuple[str, dict[str, SettingValue]]
"""A text and the settings it sets; ``None`` leaves one to Fireside."""


class ChoiceControl(LoadControl):
    """A few choices, each of which may stand for several settings."""

    def __init__(
        self,
        choices: Sequence[Choice],
        *,
        label: str,
        explanation: str,
        fitted: Callable[[LoadPlan], str] | None = None,
        on_edit: OnEdit,
        theme: Theme,
    ) -> None:
        """``fitted`` returns the text for a plan's value; without it there is no “Auto”."""
        super().__init__(label=label, explanation=explanation, theme=theme)
        self._choices = tuple(choices)
        self._fitted = fitted
        self.select = ComboBox(name=label, theme=theme)
        self.select.setAccessibleDescription(explanation)
        self.select.addItems([words for words, _ in self._choices])
        self.select.activated.connect(lambda place: on_edit(self._choices[place][1]))
        self.head.addWidget(self.select)

    def show_options(self, options: PendingOptions, plan: LoadPlan | None) -> None:
        place = next(
            (place for place, (_, values) in enumerate(self._choices) if self._stands_for(values, options)),
            -1,
        )
        self.select.setCurrentIndex(place)
        is_auto = place >= 0 and None in self._choices[place][1].values()
        words = tr("custom") if place < 0 else ""
        if is_auto and plan is not None and self._fitted is not None:
            words = self._fitted(plan)
        self.value_text.set_full_text(words)

    def _stands_for(self, values: Mapping[str, SettingValue], wanted: PendingOptions) -> bool:
        return all(self._is(key, value, wanted) for key, value in values.items())

    def _is(self, key: str, value: SettingValue, wanted: PendingOptions) -> bool:
        if value is None:
            return wanted.is_auto(key)
        is_auto = self._fitted is not None and wanted.is_auto(key)
        return not is_auto and wanted.value(key) == value


class DevicesControl(LoadControl):
    """Selects which devices a model may use, where there are several."""

    def __init__(self, definition: SettingDefinition, *, label: str, on_edit: OnEdit, theme: Theme) -> None:
        super().__init__(label=label, explanation=tr(definition.help), theme=theme)
        self._key = definition.key
        self._on_edit = on_edit
        self._theme = theme
        self._left_out: tuple[str, ...] = ()
        self._buttons: dict[str, Button] = {}
        self._grid = QGridLayout()
        self._grid.setSpacing(SPACE_S)
        self.column.addLayout(self._grid)
        self.column.addWidget(WrappedLabel(tr("Selected GPUs are used."), role="small"))

    @property
    def buttons(self) -> dict[str, Button]:
        """The button of each device, by llama.cpp's name."""
        return self._buttons

    def show_devices(self, devices: Sequence[tuple[str, str]]) -> None:
        """Offer devices, each as llama.cpp's name and its text. Deselected ones that are not listed are
        kept."""
        named = {device for device, _ in devices}
        left_out = [(device, device) for device in self._left_out if device not in named]
        for device, words in (*devices, *left_out):
            if device not in self._buttons:
                button = Button(words, theme=self._theme, kind="segment")
                button.setCheckable(True)
                button.setAccessibleName(tr("Use {words}").format(words=words))
                button.clicked.connect(lambda _checked=False, device=device: self._on_clicked(device))
                self._grid.addWidget(button, 0, len(self._buttons))
                self._buttons[device] = button
        self._show()

    def show_options(self, options: PendingOptions, plan: LoadPlan | None) -> None:  # noqa: ARG002 - decides nothing
        value = options.value(self._key)
        self._left_out = value if isinstance(value, tuple) else ()
        self._show()

    def _show(self) -> None:
        for device, button in self._buttons.items():
            button.setChecked(device not in self._left_out)

    def _on_clicked(self, device: str) -> None:
        without = tuple(name for name in self._left_out if name != device)
        left_out = without if device in self._left_out else (*without, device)
        self._on_edit({self._key: left_out})


class RuntimeControl(LoadControl):
    """Selects the build of llama.cpp for one model; hidden where there is only one.

    The selection is stored for the model at once.
    """

    def __init__(self, on_chosen: Callable[[str], None], *, theme: Theme) -> None:
        """``on_chosen`` is called with the name of a runtime, empty for the one that all models use."""
        super().__init__(label=tr("Runtime"), explanation=tr(_RUNTIME_TIP), theme=theme)
        self._names: tuple[str, ...] = ()
        self.select = ComboBox(name=self.label, theme=theme)
        self.select.setAccessibleDescription(tr(_RUNTIME_TIP))
        self.select.activated.connect(lambda place: on_chosen(self._names[place]))
        self.head.addWidget(self.select)
        self.hide()

    def show_choice(self, choice: RuntimeChoice) -> None:
        """Offer the usable builds."""
        usable = [runtime.name for runtime in choice.runtimes if _is_usable(runtime)]
        self._names = (_AS_EVERYWHERE, *usable)
        everywhere = tr("Default ({name})").format(name=runtime_name(choice.in_use))
        self.select.clear()
        self.select.addItems([everywhere, *(runtime_name(name) for name in usable)])
        self.setVisible(len(usable) > 1)

    def show_options(self, options: PendingOptions, plan: LoadPlan | None) -> None:  # noqa: ARG002 - decides nothing
        setting = options.setting(RUNTIME_KEY)
        own = setting.value if setting is not None and setting.origin in _OWN_RUNTIME else _AS_EVERYWHERE
        is_there = isinstance(own, str) and own in self._names
        self.select.setCurrentIndex(self._names.index(own) if is_there else -1)
        self.value_text.set_full_text("" if is_there or not self._names else runtime_name(str(own)))


def _is_usable(runtime: Runtime) -> bool:
    return runtime.is_built_in or runtime.state is RuntimeState.WORKS
