"""The dialog that confirms opening a link, after showing its real destination."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.markup.markdown import destination, safe_link
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.widgets.text import WrappedLabel, truncate_text

OpenUrl = Callable[[str], None]
"""Opens an address with the system; called only with schemes that ``safe_link`` allows."""

_SHOWN = 301
_SHOWN_OF_HOST = 64


def _wrapping(address: str) -> str:
    """Return ``address`` for a label that wraps, which else would cut off a long word at the right."""
    return re.sub(r"(\S{16})(?=\S)", "\\1\N{ZERO WIDTH SPACE}", address)


class LinkDialog(Sheet):
    """Asks whether to open an address. Show it with ``open()``, which does not block the event loop."""

    def __init__(self, url: str, *, open_url: OpenUrl, parent: QWidget) -> None:
        is_mail = url.lower().startswith("mailto:")
        title = tr("Write to this address?") if is_mail else tr("Open this page?")
        super().__init__(title, parent=parent, size=SheetSize.SMALL)
        lead = tr("A new message to:") if is_mail else tr("Your browser will open a page at:")
        where = destination(url)
        shown = f"…{where[-_SHOWN_OF_HOST:]}" if len(where) > _SHOWN_OF_HOST else where  # its end says whose
        host = WrappedLabel(_wrapping(shown), role="heading")
        host.setObjectName("linkHost")
        whole = WrappedLabel(_wrapping(truncate_text(url, length=_SHOWN)), role="small")
        whole.setObjectName("linkWhole")
        self.cancel = self.make_button(tr("Cancel"), self.reject, is_default=True)
        self.confirm = self.make_button(tr("Open"), self.accept, kind="primary")
        self.confirm.setAccessibleName(tr("Open {url}").format(url=where))
        self.set_content(host, whole, about=lead, buttons=(self.cancel, self.confirm))
        self.accepted.connect(lambda: open_url(url))
        self.cancel.setFocus(Qt.FocusReason.OtherFocusReason)


def confirm_open(url: str, *, open_url: OpenUrl, parent: QWidget) -> LinkDialog | None:
    """Open the dialog and return it; ``None`` where ``safe_link`` does not allow ``url``."""
    if not safe_link(url):
        return None
    dialog = LinkDialog(url, open_url=open_url, parent=parent)
    dialog.open()
    return dialog
