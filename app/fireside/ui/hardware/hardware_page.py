"""The hardware page; shows what its controller measured."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from fireside.core.errors import FiresideError
from fireside.core.hardware import DeviceReading, Hardware, MemoryBreakdown, MemoryHolder, Processor
from fireside.core.i18n import tr
from fireside.ui.hardware.hardware_text import (
    bar_text,
    condition_text,
    device_facts,
    hardware_report,
    kind_text,
    no_device_text,
    processor_facts,
    summary_text,
    twin_devices_text,
)
from fireside.ui.hardware.runtimes_controller import RuntimesController
from fireside.ui.kit.fact_grid import FactGrid
from fireside.ui.kit.layout import at_top, boxed, card, clear, column, make_card, row, scrolled, stretch
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.memory_bar import Hue, MemoryBar, MemoryLegend, MemorySegment
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel
from fireside.ui.window_context import WindowContext

_MODEL_HUES: Final = (Hue.FIRST, Hue.SECOND, Hue.THIRD, Hue.FOURTH, Hue.FIFTH)
_OWN_NAME: Final = "Fireside"
_MIN_NAME_WIDTH: Final = 120
_SEPARATOR: Final = " · "


class MemoryBox(QFrame):
    """A card with all memories. Updated once a second: unchanged parts are not redrawn."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[DeviceMemoryRow] = []
        self._hues = Hues()
        self._column = make_card(self, spacing=SPACE_L, margins=SPACE_L)

    @property
    def rows(self) -> tuple[DeviceMemoryRow, ...]:
        """The visible rows, main memory first."""
        return tuple(row for row in self._rows if not row.isHidden())

    def show_bars(self, bars: Sequence[MemoryBreakdown]) -> None:
        """Show exactly these memories."""
        while len(self._rows) < len(bars):
            row = DeviceMemoryRow()
            self._rows.append(row)
            self._column.addWidget(row)
        for index, row in enumerate(self._rows):
            row.setVisible(index < len(bars))
            if index < len(bars):
                row.show_bar(bars[index], hues=self._hues)


class DeviceMemoryRow(QWidget):
    """One memory: name, free bytes, bar and legend."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._displayed: MemoryBreakdown | None = None
        self.name = ElidedLabel(role="strong")
        self.state = ElidedLabel(role="mute", separator=_SEPARATOR)
        self.bar = MemoryBar()
        self.legend = MemoryLegend()
        head = ResponsiveRow(self.name, self.state, min_first_width=_MIN_NAME_WIDTH, spacing=SPACE_S)
        column(head, self.bar, self.legend, on=self)

    def show_bar(self, bar: MemoryBreakdown, *, hues: Hues) -> None:
        """Show the current use."""
        if bar == self._displayed:
            return
        self._displayed = bar
        self.name.set_full_text(bar.description)
        condition = condition_text(temperature_c=bar.temperature_c, load=bar.load)
        self.state.set_full_text(_SEPARATOR.join(filter(None, (bar_text(bar), condition))))
        segments = [
            MemorySegment(label=holder.name, n_bytes=holder.n_bytes, hue=hues.of(holder))
            for holder in bar.holders
        ]
        self.bar.show_memory(bar.description, segments, total_bytes=bar.total_bytes)
        self.legend.show_segments(segments)


class Hues:
    """Assigns each model a colour, the same in every bar while the page is open."""

    def __init__(self) -> None:
        self._next = cycle(_MODEL_HUES)
        self._by_name: dict[str, Hue] = {}

    def of(self, holder: MemoryHolder) -> Hue:
        """Return the colour of a memory's holder."""
        if not holder.is_model:
            return Hue.SIXTH if holder.name == _OWN_NAME else Hue.REST
        if holder.name not in self._by_name:
            self._by_name[holder.name] = next(self._next)
        return self._by_name[holder.name]


_TITLE_WIDTH: Final = 150


class DeviceCard(QFrame):
    """Name, kind and facts of a device."""

    def __init__(self, *, icon: str, name: str, kind: str, facts: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.setAccessibleName(f"{kind}: {name}")
        self._column = make_card(
            self,
            row(
                Picture(icon, tint="mute"),
                stretch(ElidedLabel(name, role="strong")),
                Label(kind, role="badge"),
            ),
            FactGrid(facts, min_name_width=_TITLE_WIDTH) if facts else None,
        )

    def add_note(self, text: str) -> None:
        """Add a note below the facts."""
        self._column.addWidget(WrappedLabel(text, role="mute"))

    def add_chips(self, title: str, chips: Sequence[str]) -> None:
        """Add a line of short labels below the facts, wrapped as needed."""
        self._column.addWidget(WrappedLabel(title, role="small"))
        body, _ = flow_row(*(Label(chip, role="badge") for chip in chips), spacing=SPACE_XS)
        self._column.addWidget(body)


def device_card(reading: DeviceReading) -> DeviceCard:
    """Return the card of a device that can hold layers of a model."""
    name = reading.device.description or reading.device.name
    card = DeviceCard(icon="zap", name=name, kind=kind_text(reading), facts=device_facts(reading))
    if reading.same_as:
        card.add_note(twin_devices_text(reading))
    return card


def processor_card(processor: Processor) -> DeviceCard:
    """Return the card of the processor, with the instruction sets that llama.cpp uses."""
    card = DeviceCard(icon="cpu", name=processor.name, kind=tr("CPU"), facts=processor_facts(processor))
    if processor.features:
        card.add_chips(tr("CPU instructions used by this llama.cpp build"), processor.features)
    return card


class HardwarePage(QWidget):
    """Shows devices, memory use and runtimes. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.controller = HardwareController(context, page=self, parent=self)
        # Another build may detect other devices.
        self.runtimes = RuntimesController(context, on_runtime_changed=self.controller.refresh, parent=self)
        self._hardware: Hardware | None = None
        self._bars: tuple[MemoryBreakdown, ...] = ()
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

    def show_bars(self, bars: Sequence[MemoryBreakdown]) -> None:
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


# Controller of the hardware page: reads the hardware, and memory use once a second


_REFRESH_MS: Final = 1000


class HardwareController(QObject):
    """Sends the requests of ``HardwarePage``, none while it is hidden. GUI thread only."""

    def __init__(self, context: WindowContext, *, page: HardwarePage, parent: QObject) -> None:
        super().__init__(parent)
        self._client = context.client.hardware
        self._tasks = context.tasks
        self._toast = context.toast
        self._page = page
        self._is_refreshing = False
        self._is_measuring = False
        # Restarted after each reply, so that slow replies never pile up.
        self._timer = QTimer(self, singleShot=True, interval=_REFRESH_MS)
        self._timer.timeout.connect(self._measure)

    @property
    def is_running(self) -> bool:
        """Whether memory use is requested, now or after the pause."""
        return self._is_measuring or self._timer.isActive()

    def refresh(self) -> None:
        """Read the hardware again."""
        if self._is_refreshing:
            return
        self._is_refreshing = True
        self._page.show_refreshing()
        self._tasks.run(self._client.hardware(), on_done=self._on_hardware, on_error=self._on_hardware_error)

    def start(self) -> None:
        """The page became visible: read the hardware, and follow memory use."""
        self.refresh()
        self._measure()

    def stop(self) -> None:
        """The page was hidden: stop following memory use."""
        self._timer.stop()

    def copy(self, text: str) -> None:
        """Copy the hardware report to the clipboard."""
        QGuiApplication.clipboard().setText(text)
        self._toast.show_message(tr("Hardware report copied"))

    def _measure(self) -> None:
        if self._is_measuring or not self._page.isVisible():
            return
        self._is_measuring = True
        self._tasks.run(self._client.memory_bars(), on_done=self._on_bars, on_error=self._on_bars_error)

    def _on_hardware(self, hardware: Hardware) -> None:
        self._is_refreshing = False
        self._page.show_hardware(hardware)

    def _on_hardware_error(self, error: FiresideError) -> None:
        self._is_refreshing = False
        self._page.show_problem(error.sentence())

    def _on_bars(self, bars: tuple[MemoryBreakdown, ...]) -> None:
        self._page.show_bars(bars)
        self._schedule_next()

    def _on_bars_error(self, error: FiresideError) -> None:
        self._page.show_problem(error.sentence())
        self._schedule_next()

    def _schedule_next(self) -> None:
        self._is_measuring = False
        if self._page.isVisible():
            self._timer.start()
