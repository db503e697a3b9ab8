"""The application's style sheet, on top of Fusion and the palette."""

from __future__ import annotations

import re
from collections.abc import Callable
from string import Template

import msgspec

from fireside.ui.theme.tokens import ThemeTokens

_AIR = re.compile(r"(\d+)air\b")
_GROWN = re.compile(r"(\d+(?:\.\d+)?)gr\b")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)tx\b")


def fill(template: str, tokens: ThemeTokens, *, scaled: Callable[[float], int]) -> str:
    """Fill ``$token`` with its colour and ``13tx`` with the pixels of a 13 pixel text at the chosen size.

    Raises ``KeyError`` for a token that does not exist.
    """
    filled = Template(template).substitute(msgspec.structs.asdict(tokens))
    return _SIZE.sub(lambda match: f"{scaled(float(match[1]))}px", filled)


def stylesheet(
    tokens: ThemeTokens,
    *,
    scaled: Callable[[float], int],
    scaled_up: Callable[[float], int] = round,
    density_scaled: Callable[[float], float] = float,
) -> str:
    """Return the style sheet of the application, without the parts that features add.

    ``5air`` in it is a padding of 5 pixels at the comfortable density, ``16gr`` an icon size of 16 pixels at
    the normal text size.
    """
    filled = fill(_BASE + _BUTTONS + _FIELDS + _LISTS + _SHELL, tokens, scaled=scaled)
    filled = _GROWN.sub(lambda match: f"{scaled_up(float(match[1]))}px", filled)
    return _AIR.sub(lambda match: f"{round(density_scaled(float(match[1])))}px", filled)


_BASE = """
* { outline: 0; }
QMainWindow, QFileDialog, QStackedWidget, #page { background: $bg; }
QLabel { background: transparent; color: $text; }
QLabel[role="title"] { font-size: 20tx; font-weight: 700; }
QLabel[role="heading"] { font-size: 15tx; font-weight: 700; }
QLabel[role="strong"] { font-weight: 600; }
QLabel[role="body"] { color: $text2; }
QLabel[role="mute"] { color: $mute; }
QLabel[role="code"] { color: $text2; font-family: 'JetBrains Mono'; font-size: 12tx; }
QLabel[role="small"] { color: $dim; font-size: 12tx; }
QLabel[role="error"] { color: $danger; font-size: 12tx; }
QLabel[role="warning"] { color: $warn; font-size: 12tx; }
QLabel[role="success"] { color: $ok; font-size: 12tx; }
QLabel[role="badge"] {
  color: $mute; background: $card2; border-radius: 6px; padding: 1px 6px; font-size: 11tx; font-weight: 500;
}
QLabel[role="badge"][tone="accent"] { color: $accent; background: $accent_soft; }
QLabel[role="badge"][tone="ok"] { color: $ok; }
QLabel[role="badge"][tone="warn"] { color: $warn; background: $warn_soft; }
QLabel[role="badge"][tone="danger"] { color: $danger; background: $danger_soft; }
/* Qt adds the padding at the left to all sides. */
QToolTip { background: $card2; color: $text; border: 1px solid $edge; padding: 0 3px; font-size: 12tx; }
QScrollArea, QAbstractScrollArea { background: transparent; border: 0; }
QScrollArea > QWidget > QWidget { background: transparent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px; }
QScrollBar::handle { background: $edge; border-radius: 3px; }
QScrollBar::handle:vertical { min-height: 40px; }
QScrollBar::handle:horizontal { min-width: 40px; }
QScrollBar::handle:hover { background: $dim; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {
  width: 0; height: 0; background: transparent;
}
QMenuBar { background: $side; color: $text2; border-bottom: 1px solid $line; padding: 2px 6px; }
QMenuBar::item { padding: 4px 9px; border-radius: 6px; background: transparent; }
QMenuBar::item:selected { background: $hover; color: $text; }
QMenu {
  background: $card; color: $text; border: 1px solid $edge; border-radius: 9px; padding: 5px;
  icon-size: 16gr;
}
QMenu::item { padding: 6air 26px 6px 10px; border-radius: 6px; }
QMenu::item:selected { background: $hover; }
QMenu::item:disabled { color: $dim; }
QMenu::icon { padding-left: 8px; }
QMenu::indicator { width: 14gr; height: 14gr; image: none; }
QMenu::right-arrow { width: 12gr; height: 12gr; }
QMenu::separator { height: 1px; background: $line; margin: 5px 8px; }
QSplitter::handle { background: transparent; }
"""

_BUTTONS = """
QPushButton {
  background: $card2; color: $text; border: 1px solid $edge; border-radius: 8px;
  padding: 6air 12px; font-weight: 500;
}
QPushButton:hover { background: $hover; border-color: $dim; }
QPushButton:pressed { background: $selected; }
QPushButton[ring="true"] { border-color: $accent; }
QPushButton:disabled { color: $dim; border-color: $line; background: transparent; }
QPushButton[kind="primary"] {
  background: $accent; color: $on_accent; border-color: $accent; font-weight: 600;
}
QPushButton[kind="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[kind="primary"][ring="true"] { border: 3px double $on_accent; padding: 4air 10px; }
QPushButton[kind="primary"]:disabled { background: $card2; color: $dim; border-color: $line; }
QPushButton[kind="quiet"] { background: transparent; border-color: transparent; color: $mute; }
QPushButton[kind="quiet"]:hover { background: $hover; color: $text; }
QPushButton[kind="quiet"][ring="true"] { border-color: $accent; }
QPushButton[kind="quiet"]:disabled { color: $dim; }
/* Its arrow stands above what it folds. */
QPushButton[kind="quiet"][folds="true"] { padding-left: 4px; text-align: left; }
QPushButton[kind="danger"] { color: $danger; }
QPushButton[kind="danger"]:hover { border-color: $danger; }
QPushButton[kind="bare"] {
  background: transparent; border: 1px solid transparent; border-radius: 7px; color: $text2;
  padding: 2px 5px; font-size: 12tx; font-weight: 500;
}
QPushButton[kind="bare"]:hover { color: $text; }
QPushButton[kind="bare"][ring="true"] { border-color: $accent; }
QPushButton[kind="starter"] {
  background: $card; border: 1px solid $line; border-radius: 12px; color: $text2; padding: 6px 12px;
}
QPushButton[kind="starter"]:hover { background: $hover; border-color: $edge; color: $text; }
QPushButton[kind="starter"]:checked { background: $accent_soft; border-color: $accent; color: $text; }
QPushButton[kind="starter"][ring="true"] { border-color: $accent; }
QPushButton[kind="link"] {
  background: transparent; border: 1px solid transparent; border-radius: 4px; color: $accent;
  padding: 1px 0; font-size: 12tx;
}
QPushButton[kind="link"]:hover { text-decoration: underline; }
QPushButton[kind="link"][ring="true"] { border-color: $accent; }
QPushButton[kind="heading"] {
  background: transparent; border: 1px solid transparent; border-radius: 4px; color: $text;
  padding: 1px 4px 1px 0; font-size: 15tx; font-weight: 700;
}
QPushButton[kind="heading"]:hover { text-decoration: underline; }
QPushButton[kind="heading"][ring="true"] { border-color: $accent; }
QPushButton[kind="crumb"] {
  background: transparent; border: 1px solid transparent; border-radius: 4px; color: $mute;
  padding: 1px 4px 1px 0; font-size: 15tx; font-weight: 500;
}
QPushButton[kind="crumb"]:hover { color: $text; }
QPushButton[kind="crumb"][ring="true"] { border-color: $accent; }
QPushButton[kind="segment"] {
  background: transparent; border: 1px solid transparent; border-radius: 7px; color: $mute;
  padding: 5air 12px;
}
QPushButton[kind="segment"]:hover { color: $text; }
QPushButton[kind="segment"]:checked { background: $bg; color: $text; border-color: $edge; }
QPushButton[kind="segment"][ring="true"] { border-color: $accent; }
QPushButton[kind="segment"]:disabled { color: $dim; }
QPushButton[kind="value"] { text-align: left; padding: 5air 9px; font-weight: 400; }
QPushButton[kind="key"] {
  background: $card2; color: $text2; border: 1px solid $edge; border-radius: 5px;
  padding: 2px 8px; font-size: 12tx; min-width: 26px;
}
QPushButton[kind="key"]:hover { border-color: $dim; color: $text; }
QPushButton[kind="key"][ring="true"] { border-color: $accent; }
QPushButton[kind="key"][listening="true"] { background: $accent_soft; border-color: $accent; color: $text; }
QPushButton::menu-indicator { image: none; width: 18gr; subcontrol-position: right center; right: 6px; }
QToolButton { border: 2px solid transparent; border-radius: 7px; padding: 3px; background: transparent; }
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:checked { background: $selected; }
QToolButton[ring="true"] { border-color: $accent; }
QToolButton::menu-indicator { image: none; width: 0; }
"""

_FIELDS = """
QLineEdit, QPlainTextEdit, QTextEdit[role="field"], QSpinBox, QDoubleSpinBox, QComboBox {
  background: $card2; color: $text; border: 1px solid $edge; border-radius: 8px; padding: 5air 9px;
  selection-background-color: $accent; selection-color: $on_accent;
}
QLineEdit:focus, QPlainTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox[ring="true"] {
  border-color: $accent;
}
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled {
  color: $dim; border-color: $line;
}
QLineEdit[invalid="true"], QSpinBox[invalid="true"], QDoubleSpinBox[invalid="true"],
QPlainTextEdit[invalid="true"] { border-color: $danger; }
QLineEdit[role="search"] { border-color: transparent; border-radius: 9px; padding: 7air 8px; }
QLineEdit[role="search"]:focus { border-color: $accent; }
QAbstractSpinBox { padding: 5px 0; }
QAbstractSpinBox QLineEdit { border: 0; border-radius: 0; padding: 0; background: transparent; }
QLineEdit, QTextEdit, QPlainTextEdit { placeholder-text-color: $dim; }
QLineEdit QToolButton { border: 0; padding: 0; background: transparent; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0; }
QComboBox[kind="small"] { font-size: 12tx; padding: 4px 7px; }
QComboBox::drop-down { border: 0; width: 26gr; }
QComboBox::down-arrow { image: none; }
QComboBox { combobox-popup: 0; }
QComboBoxPrivateContainer { background: $edge; border: 0; }
QComboBox QAbstractItemView {
  background: $card; color: $text; border: 1px solid $edge; border-radius: 8px; padding: 4px;
  selection-background-color: $hover; selection-color: $text;
}
QComboBox QAbstractItemView::item { min-height: 28px; padding: 0 8px; border-radius: 6px; }
QComboBox QAbstractItemView::item:selected { background: $hover; color: $text; }
QRadioButton, QCheckBox {
  color: $text; spacing: 8px; border: 1px solid transparent; border-radius: 6px; padding: 2px;
}
QRadioButton[ring="true"], QCheckBox[ring="true"] { border-color: $accent; }
QRadioButton:disabled, QCheckBox:disabled { color: $dim; }
QRadioButton::indicator {
  width: 14gr; height: 14gr; border: 1px solid $dim; border-radius: 7.5gr; background: $card2;
}
QRadioButton::indicator:checked {
  border-color: $accent;
  background: qradialgradient(
    cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5,
    stop: 0 $on_accent, stop: 0.38 $on_accent, stop: 0.46 $accent, stop: 1 $accent
  );
}
QCheckBox::indicator {
  width: 14gr; height: 14gr; border: 1px solid $dim; border-radius: 4gr; background: $card2;
}
QCheckBox::indicator:checked { border-color: $accent; background: $accent; }
QCheckBox::indicator:disabled, QRadioButton::indicator:unchecked:disabled { border-color: $edge; }
QCheckBox::indicator:checked:disabled { border-color: $edge; background: $edge; }
QSlider::groove:horizontal { height: 4gr; border-radius: 2gr; background: $edge; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2gr; }
QSlider[mirrored="true"]::sub-page:horizontal { background: $edge; }
QSlider[mirrored="true"]::add-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal {
  width: 14gr; height: 14gr; margin: -6gr 0; border-radius: 7.5gr;
  background: $accent; border: 1gr solid $accent;
}
QSlider::handle:horizontal:hover { background: $accent_hover; }
QSlider { min-height: 22gr; }
QSlider:focus { border: 0; }
QSlider[ring="true"]::handle:horizontal { border: 2gr solid $text; margin: -7gr 0; border-radius: 8.6gr; }
QSlider::groove:horizontal:disabled, QSlider::sub-page:horizontal:disabled { background: $line; }
QSlider[mirrored="true"]::sub-page:horizontal:disabled { background: $line; }
QSlider[mirrored="true"]::add-page:horizontal:disabled { background: $line; }
QSlider::handle:horizontal:disabled { background: $edge; border-color: $edge; }
"""

_LISTS = """
/* What a field offers to complete has no parent and stands over anything. */
QListView { background: $card2; border: 0; }
QMainWindow QListView, QDialog QListView { background: transparent; }
"""

_SHELL = """
#sheet { background: $bg; border: 1px solid $edge; border-radius: 16px; }
#quickCard { background: $bg; border: 1px solid $edge; border-radius: 16px; }
#side { background: $side; border-right: 1px solid $line; }
#brand { font-size: 15tx; font-weight: 700; }
QPushButton[kind="nav"] {
  background: transparent; border: 1px solid transparent; border-radius: 8px; color: $text;
  padding: 8air 10px; text-align: left;
}
QPushButton[kind="nav"]:hover { background: $hover; }
QPushButton[kind="nav"]:checked { background: $selected; }
QPushButton[kind="nav"][ring="true"] { border-color: $accent; }
#side QLineEdit[role="search"] {
  background: transparent; border-radius: 8px; placeholder-text-color: $text; font-weight: 500;
}
#side QLineEdit[role="search"]:hover, #side QLineEdit[role="search"]:focus { background: $hover; }
#sideBody { background: transparent; }
#sideBody QScrollBar:vertical { width: 8px; }
#sideBody QScrollBar::handle { border-radius: 2px; }
#selectionBar { background: $card2; border-top: 1px solid $line; }
#foot { border-top: 1px solid $line; }
#sidePanel { background: $bg; }
#dropZone { border: 1px dashed $edge; border-radius: 10px; }
#sections { background: transparent; }
#sections::item { color: $text2; border: 1px solid transparent; border-radius: 7px; padding: 6air 9px; }
#sections::item:hover { background: $hover; }
#sections::item:selected { background: $selected; color: $text; }
#sections[ring="true"]::item:selected { border-color: $accent; }
#header { background: $bg; border-bottom: 1px solid $line; }
#header QStackedWidget { background: transparent; }
#pill { background: $card2; border: 1px solid $edge; border-radius: 10px; padding: 0; }
#pill:hover { border-color: $dim; }
#pill[ring="true"] { border-color: $accent; }
QPushButton[kind="row"] {
  background: transparent; border: 1px solid transparent; border-radius: 8px; padding: 0; text-align: left;
}
QPushButton[kind="row"]:hover { background: $hover; }
QPushButton[kind="row"][chosen="true"] { background: $selected; }
QPushButton[kind="row"][ring="true"] { border-color: $accent; }
#temporaryMark { background: transparent; border: 1px dashed $mute; border-radius: 10px; }
#toast { background: $card2; border: 1px solid $edge; border-radius: 10px; }
#banner { background: $accent_soft; border-bottom: 1px solid $line; }
#banner[tone="warn"] { background: $warn_soft; }
#banner[tone="danger"] { background: $danger_soft; }
#popupGround { background: $edge; }
#popup { background: $card; border: 1px solid $edge; border-radius: 12px; }
#presetList { background: $card; border: 1px solid $line; border-radius: 11px; padding: 5px; outline: 0; }
#rows { background: $card; border: 1px solid $line; border-radius: 11px; padding: 5px; outline: 0; }
#rows::item { color: $text; border: 1px solid transparent; border-radius: 7px; padding: 7px 9px; }
#rows::item:hover { background: $hover; }
#rows::item:selected { background: $accent_soft; color: $text; border-color: $accent; }
#card { background: $card; border: 1px solid $line; border-radius: 11px; }
#card[tone="danger"] { border-color: $danger; }
#card[drop="true"] { border-color: $accent; }
#card[tone="accent"] { border-color: $accent; }
#card[clickable="true"]:hover { border-color: $edge; background: $hover; }
#card[clickable="true"][ring="true"] { border-color: $accent; }
#segments { background: $card2; border-radius: 9px; }
#dropMark { background: $accent; border-radius: 1px; }
#drop { background: $accent_soft; border: 2px dashed $accent; border-radius: 14px; }
#rule { background: $line; max-height: 1px; min-height: 1px; }
#keycap {
  background: $card2; color: $text2; border: 1px solid $edge; border-radius: 5px;
  padding: 1px 6px; font-size: 12tx;
}
"""
