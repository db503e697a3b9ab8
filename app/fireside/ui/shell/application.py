"""Creates and sets up the ``QApplication`` (names, style, fonts, icon) and the theme."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from fireside.bridge.file_opening import FiresideApplication
from fireside.ui.chat.style import chat_qss
from fireside.ui.chat.transcript.accessibility import install_roles
from fireside.ui.library.style import library_qss
from fireside.ui.theme import Theme, load_fonts, use_theme
from fireside.ui.widgets.edit_menu import EditMenus
from fireside.ui.widgets.focus_ring import FocusRing

log = logging.getLogger(__name__)


def make_application(argv: Sequence[str], *, resources: Path) -> FiresideApplication:
    """Return the application of the process, with style, fonts and icon set; no window yet."""
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    # The first argument is the window's instance name on X11, by which docks group windows.
    application = FiresideApplication(["fireside", *argv[1:]])
    application.setApplicationName("fireside")
    application.setApplicationDisplayName("Fireside")
    application.setOrganizationName("Fireside")
    application.setDesktopFileName("fireside")
    # Closing the window starts an asynchronous shutdown; the program quits when that has ended.
    application.setQuitOnLastWindowClosed(False)
    # Native styles obey a style sheet only in part, and each differs.
    application.setStyle("Fusion")
    application.setWindowIcon(QIcon(str(resources / "icons" / "fireside.svg")))
    install_roles()
    for name in load_fonts(resources):
        log.warning("the font %s could not be read", name)
    return application


def make_theme(application: QApplication, *, resources: Path) -> Theme:
    """Put the theme of all windows in use, and return it. Raises ``OSError`` or ``msgspec.ValidationError``
    where resource files are missing or invalid."""
    look = Theme(resources=resources, application=application, sheets=(chat_qss, library_qss))
    FocusRing(application, parent=look)
    EditMenus(application, parent=look)
    use_theme(look)
    return look
