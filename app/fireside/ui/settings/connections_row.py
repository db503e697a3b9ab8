"""Row of the settings page with all connections since the start: host, purpose, bytes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout

from fireside.core.errors import format_bytes
from fireside.core.i18n import tr, tr_noop
from fireside.core.remote import Connection
from fireside.ui.kit.layout import boxed, clear, column
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line

_MAX_ROWS: Final = 20


class ConnectionsRow(ExtraRow):
    """Lists the newest connections; all of them can be copied."""

    label = tr_noop("Connections")
    search_terms = tr_noop("connections network privacy traffic requests hosts log telemetry internet")

    def __init__(self, on_clear: Callable[[], object]) -> None:
        super().__init__()
        self._all: tuple[Connection, ...] = ()
        self._visible: tuple[Connection, ...] | None = None
        about = WrappedLabel(
            tr("Every connection since Fireside started. The list is only in memory."), role="small"
        )
        self.state = WrappedLabel(role="small")
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_L)
        self._grid.setVerticalSpacing(SPACE_S)
        for column_index, share in (
            (1, 5),
            (2, 6),
            (3, 9),
        ):  # the sizes are the longest texts, and rarely elided
            self._grid.setColumnStretch(column_index, share)
        self.copy = Button(tr("Copy all"), on_click=self._on_copy)
        self.copy.setAccessibleName(tr("Copy all connections"))
        self.clear_all = Button(tr("Clear"), on_click=on_clear)
        self.clear_all.setAccessibleName(tr("Clear the list of connections"))
        self._foot, _ = flow_row(self.copy, self.clear_all, spacing=SPACE_S)
        column(
            self.titled(about, self.state),
            boxed(self._grid),
            self._foot,
            spacing=SPACE_M,
            margins=INSIDE,
            on=self,
        )
        self.show_connections(())

    def show_connections(self, connections: tuple[Connection, ...]) -> None:
        """Show the connections, newest first."""
        self._all = connections
        self._foot.setVisible(bool(connections))
        visible = connections[:_MAX_ROWS]
        if visible == self._visible:
            return
        self._visible = visible
        summary = tr("%n connection|%n connections", "", len(connections)) if connections else tr("None")
        self.state.setText(summary)
        clear(self._grid)
        for row, connection in enumerate(visible):
            time, host, purpose, transferred = connection_cells(connection)
            self._grid.addWidget(Label(time, role="mute"), row, 0)
            self._grid.addWidget(ElidedLabel(host), row, 1)
            self._grid.addWidget(ElidedLabel(purpose, role="mute"), row, 2)
            transferred_label = ElidedLabel(transferred, role="mute")
            transferred_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(transferred_label, row, 3)

    @property
    def lines(self) -> list[tuple[str, str, str, str]]:
        """The text of each row: time, host, purpose, sizes."""
        return [connection_cells(connection) for connection in self._visible or ()]

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(
            "\n".join("\t".join(connection_cells(connection)) for connection in self._all)
        )


def connection_cells(connection: Connection) -> tuple[str, str, str, str]:
    """Return a connection as text: time, host, purpose, bytes sent and received."""
    then = datetime.fromtimestamp(connection.at_s).astimezone()
    sizes = tr("{sent} sent, {received} received").format(
        sent=format_bytes(connection.n_sent), received=format_bytes(connection.n_received)
    )
    return f"{then:%H:%M:%S}", one_line(connection.host), one_line(connection.why), sizes
