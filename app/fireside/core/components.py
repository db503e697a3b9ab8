"""Components: parts of Fireside that no package contains, downloaded when the user wants them."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.i18n import tr_noop

SPEECH: Final = "speech"
MEDIA: Final = "media"
DATA: Final = "data"


class ComponentKind(msgspec.Struct, frozen=True, kw_only=True):
    """What a component is for. Its files are listed in ``resources/components.json``."""

    name: str
    purpose: str
    licence: str
    """Of its files, as their makers state it."""
    needs: tuple[str, ...]
    """The projects of the package index without which it does not work; others of its list are optional."""


COMPONENTS: Final = {
    SPEECH: ComponentKind(
        name=tr_noop("Speech"),
        purpose=tr_noop("Dictate, listen and talk, on this computer alone."),
        licence="Apache-2.0 (sherpa-onnx), MIT (ONNX Runtime, miniaudio, Silero VAD)",
        needs=("sherpa_onnx", "sherpa_onnx_core", "silero_vad"),
    ),
    MEDIA: ComponentKind(
        name=tr_noop("Media formats"),
        purpose=tr_noop("Read videos, and audio such as M4A."),
        licence="BSD-3-Clause (PyAV), GPL-2.0-or-later (FFmpeg, x264, x265)",
        needs=("av",),
    ),
    DATA: ComponentKind(
        name=tr_noop("Data packages"),
        purpose=tr_noop("pandas, NumPy, matplotlib and openpyxl for Python code in chats."),
        licence="BSD-3-Clause (pandas, NumPy), Matplotlib's, MIT (openpyxl), MIT-CMU (Pillow)",
        needs=("numpy", "pandas", "matplotlib", "openpyxl"),
    ),
}


class Component(msgspec.Struct, frozen=True, kw_only=True):
    """A component on this computer."""

    id: str
    name: str
    """To be translated, as is ``purpose``."""
    purpose: str
    licence: str
    version: str
    download_bytes: int
    """Size of its download; 0 where there is none for this computer."""
    disk_bytes: int = 0
    """What its files occupy, older versions included."""
    is_installed: bool = False


class ComponentProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="component_progressed"):
    """Progress of a download; ``fraction`` from 0 to 1."""

    id: str
    fraction: float


class ComponentsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="components_changed"):
    """A component was installed or removed."""
