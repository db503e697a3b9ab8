"""The hardware page; shows what its controller measured."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from fireside.core.hardware import Hardware, MemoryBar
from fireside.core.i18n import tr
from fireside.ui.hardware.device_card import device_card, processor_card
from fireside.ui.hardware.hardware_controller import HardwareController
from fireside.ui.hardware.hardware_text import hardware_report, no_device_text, summary_text
from fireside.ui.hardware.memory_box import MemoryBox
from fireside.ui.hardware.runtimes_controller import RuntimesController
from fireside.ui.kit.layout import at_top, boxed, card, clear, column, row, scrolled, stretch
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_XL
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import Label, WrappedLabel
from fireside.ui.window_context import WindowContext


class HardwarePage(QWidget):
    """Shows devices, memory use and runtimes. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.controller = HardwareController(context, page=self, parent=self)
        # Another build may detect other devices.
        self.runtimes = RuntimesController(context, on_runtime_changed=self.controller.refresh, parent=self)
        self._hardware: Hardware | None = None
        self._bars: tuple[MemoryBar, ...] = ()
        self.notices = BannerArea()
        self.summary = WrappedLabel(tr("Detecting hardware…"), role="mute")
        self.copy = Button(tr("Copy as text"), icon="copy", on_click=self._on_copy)
        self.copy.setEnabled(False)
        self.refresh = IconButton("refresh-cw", name=tr("Refresh"))
        self.refresh.clicked.connect(self.controller.refresh)
        self.memory = MemoryBox()
        self._memory_part = _part(tr("Memory"), self.memory)
        self._problems = column()
        self._devices = column()
        self.runtime = WrappedLabel(role="mute")
        self._system = WrappedLabel(role="mute")
        self._arrange()

    def focus_refresh_button(self) -> None:
        """Focus the refresh button, which changes nothing."""
        self.refresh.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_hardware(self, hardware: Hardware) -> None:
        """Show the hardware."""
        self._hardware = hardware
        self.notices.remove("problem")
        self.summary.setText(summary_text(hardware))
        self.copy.setEnabled(True)
        clear(self._problems)
        for problem in hardware.problems:
            self._problems.addWidget(_notice("triangle-alert", "warn", (problem,)))
        clear(self._devices)
        for reading in hardware.devices:
            self._devices.addWidget(device_card(reading))
        if not hardware.devices:
            sentences = no_device_text(hardware)
            self._devices.addWidget(_notice("info", "accent", sentences))
        self._devices.addWidget(processor_card(hardware.processor))
        self.runtimes.box.show_suitable(hardware.suitable)
        self.runtime.setText(_runtime_text(hardware))
        self._system.setText(hardware.system)
        self._parts.show()

    def show_bars(self, bars: Sequence[MemoryBar]) -> None:
        """Show memory use."""
        self._bars = tuple(bars)
        self.memory.show_bars(bars)
        self._memory_part.show()

    def show_problem(self, sentence: str) -> None:
        """Show why the hardware could not be read."""
        self.notices.show_banner(
            "problem", sentence, tone=Tone.DANGER, actions=((tr("Try again"), self.refresh.click),)
        )
        if self._hardware is None:
            self.summary.setText("")

    def show_refreshing(self) -> None:
        """Show that the hardware is being read."""
        if self._hardware is None:
            self.summary.setText(tr("Detecting hardware…"))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: ARG002 - Qt's signature
        self.controller.start()
        self.runtimes.refresh()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: ARG002 - Qt's signature
        self.controller.stop()

    def _arrange(self) -> None:
        self._memory_part.hide()
        self._parts = boxed(
            column(
                _part(tr("Devices"), self._devices),
                _part(tr("Runtimes"), self.runtime, self.runtimes.box),
                _part(tr("System"), self._system),
                spacing=SPACE_L,
            )
        )
        self._parts.hide()
        body = column(self._problems, self._memory_part, self._parts, stretch(), spacing=SPACE_L)
        column(
            self.notices,
            centred(
                row(stretch(self.summary), at_top(self.copy), at_top(self.refresh)),
                top=SPACE_XL,
                bottom=SPACE_M,
            ),
            stretch(scrolled(centred(body, bottom=SPACE_XL, in_page_scroll=True))),
            spacing=0,
            on=self,
        )

    def _on_copy(self) -> None:
        if self._hardware is not None:
            self.controller.copy(hardware_report(self._hardware, self._bars))


def _part(title: str, *contents: QWidget | QVBoxLayout) -> QWidget:
    return boxed(column(Label(title, role="heading"), *contents))


def _notice(icon: str, tint: str, sentences: Sequence[str]) -> QFrame:
    text = column(*(WrappedLabel(sentence, role="body") for sentence in sentences))
    notice = card(row(at_top(Picture(icon, tint=tint)), stretch(text), spacing=SPACE_M))
    notice.setAccessibleName(" ".join(sentences))
    return notice


def _runtime_text(hardware: Hardware) -> str:
    runtime = hardware.runtime
    if not runtime.llama_cpp:
        return tr("The current llama.cpp build is unknown.")
    return tr("In use: llama.cpp {version} ({backends})").format(
        version=runtime.llama_cpp, backends=", ".join(runtime.backends)
    )
