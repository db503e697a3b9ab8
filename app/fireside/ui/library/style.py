"""Style sheet of the library's pages."""

from __future__ import annotations

from fireside.ui.theme import Theme
from fireside.ui.theme.stylesheet import fill


def library_qss(look: Theme) -> str:
    """Return the library's part of the application's style sheet."""
    return fill(_TABLES + _PARTS, look.tokens, scaled=look.scaled)


_TABLES = """
QTreeView {
  background: transparent; border: 0; selection-background-color: transparent; show-decoration-selected: 0;
}
QTreeView::item, QTreeView::item:selected, QTreeView::item:hover { background: transparent; border: 0; }
QTreeView::branch { background: transparent; }
QHeaderView { background: transparent; border: 0; border-bottom: 1px solid $line; }
QHeaderView::section {
  background: transparent; color: $mute; border: 0; padding: 5px 8px; font-size: 12tx; font-weight: 500;
}
QHeaderView::section:hover { color: $text; }
QHeaderView[ring="true"] { border-bottom: 1px solid $accent; }
QHeaderView::up-arrow, QHeaderView::down-arrow { width: 0; height: 0; image: none; }
#factTable { background: $card; border: 1px solid $line; border-radius: 11px; padding: 2px; }
QTableView { background: $card; border: 1px solid $line; border-radius: 11px; padding: 2px; }
QTableView[ring="true"] { border-color: $accent; }
QTableView { selection-background-color: $selected; selection-color: $text; gridline-color: $line; }
QTableView::item { padding: 0 5px; }
QTableCornerButton::section { background: transparent; border: 0; }
#factTable[ring="true"] { border-color: $accent; }
"""

_PARTS = """
QPushButton[kind="chip"] {
  background: transparent; color: $mute; border: 1px solid $edge; border-radius: 10px; padding: 3px 10px;
  font-size: 12.5tx; font-weight: 500;
}
QPushButton[kind="chip"]:hover { background: $hover; color: $text; }
QPushButton[kind="chip"]:checked { background: $accent_soft; color: $accent; border-color: $accent; }
QPushButton[kind="chip"][ring="true"] { border-color: $accent; }
#listSelect { padding: 3px 22px 3px 10px; font-size: 12.5tx; border-radius: 10px; background: transparent; }
#nameEdit { font-size: 20tx; font-weight: 700; padding: 1px 6px; }
#tagChip { background: $card2; border: 1px solid $line; border-radius: 10px; }
#tagChip QLabel { color: $text2; font-size: 12tx; }
#tagField { border-radius: 10px; padding: 2px 9px; font-size: 12.5tx; }
QPlainTextEdit#sourceView { background: $code; border: 1px solid $line; border-radius: 11px; padding: 8px; }
QPlainTextEdit#sourceView:focus { border-color: $accent; }
QProgressBar#workBar { background: $card2; border: 0; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar#workBar::chunk { background: $accent; border-radius: 3px; }
#pathLabel { color: $text2; font-family: 'JetBrains Mono'; font-size: 12tx; }
"""
