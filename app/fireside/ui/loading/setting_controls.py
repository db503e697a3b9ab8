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
from fireside.settings.values import AUTO_LABEL, Origin, SettingDefinition
from fireside.ui.hardware.runtime_text import runtime_name
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.kit.number_field import NumberSlider
from fireside.ui.loading.pending_options import PendingOptions
from fireside.ui.theme import SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.switch import Switch
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel

_MIN_NAME_WIDTH: Final = 200
_AUTO_TIP: Final = tr_noop("Chosen automatically to fit")
_DEFAULT_RUNTIME: Final = ""
_RUNTIME_TIP: Final = tr_noop("llama.cpp build for this model (tested ones only)")
_OWN_RUNTIME: Final = (Origin.MODEL, Origin.CONVERSATION)


OnEdit = Callable[[Mapping[str, SettingValue]], None]
"""Called with the new values by setting key."""


class LoadControl(QWidget):
    """Base class: one load setting with its label and current value."""

    def __init__(self, *, label: str, explanation: str) -> None:
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
                min_first_width=_MIN_NAME_WIDTH,
                spacing=SPACE_S,
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
        planned_value: Callable[[LoadPlan], int] | None = None,
        on_edit: OnEdit,
    ) -> None:
        """``stops`` is ascending, ``text`` returns the text of a stop, ``planned_value`` the value in a plan.

        Without ``planned_value`` there is no “Auto”.
        """
        super().__init__(label=label, explanation=tr(definition.help))
        self._key = definition.key
        self._auto = definition.auto
        self._on_edit = on_edit
        self._text_of = text
        self._planned_value = planned_value
        self._number = stops[0]
        self.slider = NumberSlider(stops)
        self.slider.setAccessibleDescription(tr(definition.help))
        self.slider.moved.connect(self._on_moved)
        self.auto = Switch(name=f"{label}: {tr(AUTO_LABEL)}", parent=self)
        self.auto.setToolTip(tr(_AUTO_TIP))
        self.auto.setAccessibleDescription(tr(_AUTO_TIP))
        self.auto.clicked.connect(self._on_auto)
        if planned_value is None:
            self.auto.hide()
        else:
            self.head.addWidget(Label(tr(AUTO_LABEL), role="small"))
        self.head.addWidget(self.auto)
        self.column.addWidget(self.slider)

    @property
    def number(self) -> int:
        """The displayed number."""
        return self._number

    def show_options(self, options: PendingOptions, plan: LoadPlan | None) -> None:
        is_auto = self._planned_value is not None and options.is_auto(self._key)
        self.auto.setChecked(is_auto)
        self.auto.setEnabled(options.can_be_auto(self._key))
        value = options.value(self._key)
        if is_auto and plan is None:
            self.value_text.set_full_text("")
            self._set_accessible_value(tr("automatic"))
            return
        number = (
            self._planned_value(plan)
            if is_auto and plan is not None and self._planned_value is not None
            else value
        )
        if isinstance(number, int):
            self._number = number
            self.slider.show_number(number)
            self._show_value(is_auto=is_auto)

    def _show_value(self, *, is_auto: bool) -> None:
        text = self._text_of(self._number)
        self.value_text.set_full_text(text)
        self._set_accessible_value(f"{text}, {tr(AUTO_LABEL)}" if is_auto else text)

    def _set_accessible_value(self, text: str) -> None:
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
        planned_value: Callable[[LoadPlan], str] | None = None,
        on_edit: OnEdit,
    ) -> None:
        """``planned_value`` returns the text for a plan's value; without it there is no “Auto”."""
        super().__init__(label=label, explanation=explanation)
        self._choices = tuple(choices)
        self._planned_value = planned_value
        self.select = ComboBox(name=label)
        self.select.setAccessibleDescription(explanation)
        self.select.addItems([label for label, _ in self._choices])
        self.select.activated.connect(lambda index: on_edit(self._choices[index][1]))
        self.head.addWidget(self.select)

    def show_options(self, options: PendingOptions, plan: LoadPlan | None) -> None:
        index = next(
            (index for index, (_, values) in enumerate(self._choices) if self._stands_for(values, options)),
            -1,
        )
        self.select.setCurrentIndex(index)
        is_auto = index >= 0 and None in self._choices[index][1].values()
        label = tr("custom") if index < 0 else ""
        if is_auto and plan is not None and self._planned_value is not None:
            label = self._planned_value(plan)
        self.value_text.set_full_text(label)

    def _stands_for(self, values: Mapping[str, SettingValue], options: PendingOptions) -> bool:
        return all(self._is(key, value, options) for key, value in values.items())

    def _is(self, key: str, value: SettingValue, options: PendingOptions) -> bool:
        if value is None:
            return options.is_auto(key)
        is_auto = self._planned_value is not None and options.is_auto(key)
        return not is_auto and options.value(key) == value


class DevicesControl(LoadControl):
    """Selects which devices a model may use, where there are several."""

    def __init__(self, definition: SettingDefinition, *, label: str, on_edit: OnEdit) -> None:
        super().__init__(label=label, explanation=tr(definition.help))
        self._key = definition.key
        self._on_edit = on_edit
        self._excluded: tuple[str, ...] = ()
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
        listed = {device for device, _ in devices}
        excluded = [(device, device) for device in self._excluded if device not in listed]
        for device, label in (*devices, *excluded):
            if device not in self._buttons:
                button = Button(label, kind="segment")
                button.setCheckable(True)
                button.setAccessibleName(tr("Use {words}").format(words=label))
                button.clicked.connect(lambda _checked=False, device=device: self._on_clicked(device))
                self._grid.addWidget(button, 0, len(self._buttons))
                self._buttons[device] = button
        self._show()

    def show_options(self, options: PendingOptions, plan: LoadPlan | None) -> None:  # noqa: ARG002 - decides nothing
        value = options.value(self._key)
        self._excluded = value if isinstance(value, tuple) else ()
        self._show()

    def _show(self) -> None:
        for device, button in self._buttons.items():
            button.setChecked(device not in self._excluded)

    def _on_clicked(self, device: str) -> None:
        without = tuple(name for name in self._excluded if name != device)
        excluded = without if device in self._excluded else (*without, device)
        self._on_edit({self._key: excluded})


class RuntimeControl(LoadControl):
    """Selects the build of llama.cpp for one model; hidden where there is only one.

    The selection is stored for the model at once.
    """

    def __init__(self, on_chosen: Callable[[str], None]) -> None:
        """``on_chosen`` is called with the name of a runtime, empty for the one that all models use."""
        super().__init__(label=tr("Runtime"), explanation=tr(_RUNTIME_TIP))
        self._names: tuple[str, ...] = ()
        self.select = ComboBox(name=self.label)
        self.select.setAccessibleDescription(tr(_RUNTIME_TIP))
        self.select.activated.connect(lambda index: on_chosen(self._names[index]))
        self.head.addWidget(self.select)
        self.hide()

    def show_choice(self, choice: RuntimeChoice) -> None:
        """Offer the usable builds."""
        usable = [runtime.name for runtime in choice.runtimes if _is_usable(runtime)]
        self._names = (_DEFAULT_RUNTIME, *usable)
        default_label = tr("Default ({name})").format(name=runtime_name(choice.in_use))
        self.select.clear()
        self.select.addItems([default_label, *(runtime_name(name) for name in usable)])
        self.setVisible(len(usable) > 1)

    def show_options(self, options: PendingOptions, plan: LoadPlan | None) -> None:  # noqa: ARG002 - decides nothing
        setting = options.setting(RUNTIME_KEY)
        own = setting.value if setting is not None and setting.origin in _OWN_RUNTIME else _DEFAULT_RUNTIME
        is_listed = isinstance(own, str) and own in self._names
        self.select.setCurrentIndex(self._names.index(own) if is_listed else -1)
        self.value_text.set_full_text("" if is_listed or not self._names else runtime_name(str(own)))


def _is_usable(runtime: Runtime) -> bool:
    return runtime.is_built_in or runtime.state is RuntimeState.WORKS
