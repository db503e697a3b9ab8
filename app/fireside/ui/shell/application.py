"""Set Qt up: names, style, fonts, icon, theme."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from fireside.bridge.file_opening import Application
from fireside.ui.chat.accessibility import install_roles
from fireside.ui.chat.style import chat_qss
from fireside.ui.library.style import library_qss
from fireside.ui.theme import Theme, load_fonts
from fireside.ui.widgets.focus_ring import FocusRing

log = logging.getLogger(__name__)


def make_application(argv: Sequence[str], *, resources: Path) -> Application:
    """Return the one application of the process, dressed but without a window."""
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    application = Application(list(argv))
    application.setApplicationName("fireside")
    application.setApplicationDisplayName("Fireside")
    application.setOrganizationName("Fireside")
    application.setDesktopFileName("fireside")
    # Closing the window begins a shutdown that takes a moment; the program quits at its end.
    application.setQuitOnLastWindowClosed(False)
    # Native styles obey a style sheet only in part, and each differs.
    application.setStyle("Fusion")
    application.setWindowIcon(QIcon(str(resources / "icons" / "fireside.svg")))
    install_roles()
    for name in load_fonts(resources):
        log.warning("the font %s could not be read", name)
    return application


def make_theme(application: QApplication, *, resources: Path) -> Theme:
    """Return the look of the whole window. Raises ``OSError`` or ``msgspec.ValidationError`` where the
    resources are not whole."""
    theme = Theme(resources=resources, application=application, sheets=(chat_qss, library_qss))
    FocusRing(application, parent=theme)
    return theme
