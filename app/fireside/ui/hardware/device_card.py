"""A card about one device or the processor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtWidgets import QFrame

from fireside.core.hardware import DeviceReading, Processor
from fireside.core.i18n import tr
from fireside.ui.hardware.hardware_text import device_facts, kind_text, processor_facts, twin_devices_text
from fireside.ui.kit.fact_grid import FactGrid
from fireside.ui.kit.layout import make_card, row, stretch
from fireside.ui.theme import SPACE_XS
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel

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
