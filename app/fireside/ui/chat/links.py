"""The dialog that confirms opening a link, after showing its real destination."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLayout, QVBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.markup.markdown import safe_link
from fireside.ui.widgets.text import plain_label, truncate_text

OpenUrl = Callable[[str], None]
"""Opens an address with the system; called only with schemes that ``safe_link`` allows."""

_SHOWN = 301
_SHOWN_OF_HOST = 64


def destination(url: str) -> str:
    """Return the host and port, or the mail address, of ``url`` in ASCII (punycode)."""
    parts = urlsplit(url)
    if parts.scheme.lower() == "mailto":
        return parts.path
    host = parts.hostname or ""
    try:
        host = host.encode("idna").decode("ascii")
    except UnicodeError:
        host = host.encode("ascii", "backslashreplace").decode("ascii")
    return host if parts.port is None else f"{host}:{parts.port}"


def _wrapping(address: str) -> str:
    """Return ``address`` for a label that wraps, which else would cut off a long word at the right."""
    return re.sub(r"(\S{16})(?=\S)", "\\1\N{ZERO WIDTH SPACE}", address)


class LinkDialog(QDialog):
    """Asks whether to open an address. Show it with ``open()``, which does not block the event loop."""

    def __init__(self, url: str, *, open_url: OpenUrl, parent: QWidget) -> None:
        super().__init__(parent)
        self._url = url
        self._open_url = open_url
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        is_mail = url.lower().startswith("mailto:")
        self.setWindowTitle(tr("Write to this address?") if is_mail else tr("Open this page?"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        lead = tr("A new message to:") if is_mail else tr("Your browser will open a page at:")
        column.addWidget(plain_label(lead, name="linkLead", parent=self))
        where = destination(url)
        if len(where) > _SHOWN_OF_HOST:  # its end says whose it is
            where = f"…{where[-_SHOWN_OF_HOST:]}"
        host = plain_label(_wrapping(where), name="linkHost", parent=self)
        host.setProperty("role", "heading")
        host.setWordWrap(True)
        column.addWidget(host)
        shown = _wrapping(truncate_text(url, length=_SHOWN))
        whole = plain_label(shown, name="linkWhole", parent=self)
        whole.setProperty("role", "small")
        whole.setWordWrap(True)
        column.addWidget(whole)
        column.addSpacing(6)
        buttons = QDialogButtonBox(self)
        yes = buttons.addButton(tr("Open"), QDialogButtonBox.ButtonRole.AcceptRole)
        yes.setAccessibleName(tr("Open {url}").format(url=destination(url)))
        yes.setProperty("kind", "primary")
        no = buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        no.setAccessibleName(tr("Cancel"))
        no.setDefault(True)
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        host.setMinimumWidth(340)
        # Else a dialog opens with less height than lines that wrap need.
        column.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)

    def _on_accepted(self) -> None:
        self.accept()
        self._open_url(self._url)


def confirm_open(url: str, *, open_url: OpenUrl, parent: QWidget) -> LinkDialog | None:
    """Open the dialog and return it; ``None`` where ``safe_link`` does not allow ``url``."""
    if not safe_link(url):
        return None
    dialog = LinkDialog(url, open_url=open_url, parent=parent)
    dialog.open()
    return dialog
