"""With which build of llama.cpp one model runs."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.plan import LoadPlan
from fireside.core.runtime import RUNTIME_KEY, Runtime, RuntimeChoice, RuntimeState
from fireside.settings.values import Origin
from fireside.ui.hardware.runtime_text import runtime_name
from fireside.ui.loading.control import LoadControl
from fireside.ui.loading.pending_options import WantedLoad
from fireside.ui.theme import Theme
from fireside.ui.widgets.combo_box import Select

_AS_EVERYWHERE: Final = ""
_EXPLANATION: Final = tr_noop("The build of llama.cpp that computes this model; those that passed their test")
_OWN: Final = (Origin.MODEL, Origin.CONVERSATION)


class RuntimeControl(LoadControl):
    """Hidden where there is only one. What is chosen is the model's own at once."""

    chosen = Signal(str)
    """Name of a runtime; empty for that of all models."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(label=tr("Runtime"), explanation=tr(_EXPLANATION), theme=theme, parent=parent)
        self._names: tuple[str, ...] = ()
        self.select = Select(name=self.label, theme=theme)
        self.select.setAccessibleDescription(tr(_EXPLANATION))
        self.select.activated.connect(lambda place: self.chosen.emit(self._names[place]))
        self.head.addWidget(self.select)
        self.hide()

    def show_choice(self, choice: RuntimeChoice) -> None:
        """Offer what can be used."""
        usable = [runtime.name for runtime in choice.runtimes if _is_usable(runtime)]
        self._names = (_AS_EVERYWHERE, *usable)
        everywhere = tr("As everywhere ({name})").format(name=runtime_name(choice.in_use))
        self.select.clear()
        self.select.addItems([everywhere, *(runtime_name(name) for name in usable)])
        self.setVisible(len(usable) > 1)

    def show_wanted(self, wanted: WantedLoad, plan: LoadPlan | None) -> None:  # noqa: ARG002 - decides nothing
        setting = wanted.setting(RUNTIME_KEY)
        own = setting.value if setting is not None and setting.origin in _OWN else _AS_EVERYWHERE
        is_there = isinstance(own, str) and own in self._names
        self.select.setCurrentIndex(self._names.index(own) if is_there else -1)
        self.value_words.set_whole("" if is_there or not self._names else runtime_name(str(own)))


def _is_usable(runtime: Runtime) -> bool:
    return runtime.is_built_in or runtime.state is RuntimeState.WORKS
