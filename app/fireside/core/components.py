"""Components: parts of Fireside that no package contains, downloaded when the user wants them."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.i18n import tr_noop

SPEECH: Final = "speech"
MEDIA: Final = "media"
DATA: Final = "data"
WEB: Final = "web"
MERMAID: Final = "mermaid"
CHARTS: Final = "charts"
MERMAID_FILE: Final = "artoo_mermaid/assets/mermaid.min.js"
"""Below the folders of ``WEB`` and ``MERMAID``; the same bytes as in the npm package ``mermaid``."""
_WEB_PARTS: Final = (
    "(?:Core|Gui|Widgets|Network|DBus|PrintSupport|OpenGL|Qml(?:Meta|Models|WorkerScript)?|Quick(?:Widgets)?"
    "|WebChannel|Positioning|WebEngine(?:Core|Widgets))"
)
_WEB_FILES: Final = rf"""
    (?!.*/__pycache__/) (?:
    shiboken6/(?!include/|lib/).*
    | PySide6/(?:__init__|_config|_git_pyside_version)\.py
    | PySide6/support/.*\.py
    | PySide6/(?:lib)?pyside6(?:qml)?\.abi3\..*
    | PySide6/(?:msvcp|vcruntime|concrt)140[^/]*\.dll
    | PySide6/Qt{_WEB_PARTS}\.(?:abi3\.so|pyd)
    | PySide6/(?:Qt/lib/lib)?Qt6{_WEB_PARTS}\.(?:so\.6|dll)
    | PySide6/Qt/lib/Qt{_WEB_PARTS}\.framework/(?!Headers).*
    | PySide6/Qt/lib/libicu.*
    | PySide6/(?:Qt/libexec/QtWebEngineProcess|QtWebEngineProcess\.exe)
    | PySide6/(?:Qt/)?plugins/platforms/(?:lib)?qoffscreen\..*
    | PySide6/(?:Qt/)?resources/(?!.*(?:devtools|\.debug\.)).*
    | PySide6/(?:Qt/)?translations/qtwebengine_locales/en-US\.pak
    | artoo_mermaid/.*
    | [^/]*\.dist-info/.*
    )
"""
"""Of Qt's wheels, what the web engine needs in a process of its own: packages of Fireside have only parts of
Qt, and another process of Qt must find them all in one place."""


class ComponentKind(msgspec.Struct, frozen=True, kw_only=True):
    """What a component is for. Its files are listed in ``resources/components.json``."""

    name: str
    purpose: str
    licence: str
    """Of its files, as their makers state it."""
    needs: tuple[str, ...]
    """The projects of the package index without which it does not work; others of its list are optional."""
    keeps: str = ""
    """Verbose pattern of the paths in its wheels that are unpacked; empty for all."""
    loss: str = tr_noop("What it is for ends until it is downloaded again.")
    """What goes without it, as a sentence."""


COMPONENTS: Final = {
    SPEECH: ComponentKind(
        name=tr_noop("Speech"),
        purpose=tr_noop("Dictate, listen and talk, on this computer alone."),
        loss=tr_noop("Dictation, natural voices, talks and transcripts end until it is downloaded again."),
        licence="Apache-2.0 (sherpa-onnx), MIT (ONNX Runtime, miniaudio, Silero VAD)",
        needs=("sherpa_onnx", "sherpa_onnx_core", "silero_vad"),
    ),
    MEDIA: ComponentKind(
        name=tr_noop("Media formats"),
        purpose=tr_noop("Read videos, and audio such as M4A."),
        loss=tr_noop("Videos and M4A files are not read until it is downloaded again."),
        licence="BSD-3-Clause (PyAV), GPL-2.0-or-later (FFmpeg, x264, x265)",
        needs=("av",),
    ),
    DATA: ComponentKind(
        name=tr_noop("Data packages"),
        purpose=tr_noop("pandas, NumPy, matplotlib and openpyxl for Python code in chats."),
        loss=tr_noop("Python code in chats goes without them until they are downloaded again."),
        licence="BSD-3-Clause (pandas, NumPy), Matplotlib's, MIT (openpyxl), MIT-CMU (Pillow)",
        needs=("numpy", "pandas", "matplotlib", "openpyxl"),
    ),
    WEB: ComponentKind(
        name=tr_noop("Web preview"),
        purpose=tr_noop("Show web pages and diagrams of answers beside the chat, without any connection."),
        licence="LGPL-3.0 (Qt, PySide6), BSD-3-Clause (Chromium), MIT (Mermaid)",
        needs=("shiboken6", "pyside6_essentials", "pyside6_addons", "artoo_mermaid"),
        keeps=_WEB_FILES,
    ),
    MERMAID: ComponentKind(
        name=tr_noop("Mermaid"),
        purpose=tr_noop("Draw diagrams of answers in the browser."),
        licence="MIT",
        needs=("artoo_mermaid",),
    ),
    CHARTS: ComponentKind(
        name=tr_noop("Charts"),
        purpose=tr_noop("Draw charts of answers that are written in Vega-Lite."),
        licence="BSD-3-Clause (vl-convert, Vega-Lite)",
        needs=("vl_convert_python",),
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
