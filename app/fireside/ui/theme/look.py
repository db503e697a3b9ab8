"""Apply a scheme to the application and provide its colours, fonts and icons."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import SLOT, QByteArray, QObject, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
    QScreen,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication

from fireside.ui.theme.contrast import Contrast, SystemContrast, contrast_sheet
from fireside.ui.theme.stylesheet import stylesheet
from fireside.ui.theme.tokens import Accent, Scheme, ThemeTokens, read_accents, read_tokens, with_accent

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusVariant


UI_FAMILY = "Inter"
MONO_FAMILY = "JetBrains Mono"
BASE_PX = 14
"""Normal text size, in pixels: sizes are given for it and scaled by the setting."""
MESSAGE_PX = 15
"""Text size of messages and of what is typed for them, where the normal one is ``BASE_PX``."""

_COMPACT_SHARE = 0.6

StyleSheetPart = Callable[["Theme"], str]
"""Returns a part of the style sheet."""


class ThemeChoice(StrEnum):
    """The values of the setting ``appearance.theme``."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Density(StrEnum):
    """The values of the setting ``appearance.density``: how much space is between lines."""

    COMFORTABLE = "comfortable"
    COMPACT = "compact"


class ColumnWidth(StrEnum):
    """The values of the setting ``appearance.column_width``: the maximum width of a conversation."""

    NARROW = "narrow"
    WIDE = "wide"
    FULL = "full"


def load_fonts(resources: Path) -> tuple[str, ...]:
    """Register the bundled fonts with Qt; return the files that Qt could not read."""
    files = sorted(p for p in (resources / "fonts").iterdir() if p.suffix in {".otf", ".ttf"})
    return tuple(p.name for p in files if QFontDatabase.addApplicationFont(str(p)) < 0)


class Theme(QObject):
    """The look in use. Widgets that paint themselves repaint on ``changed``. GUI thread only."""

    about_to_change = Signal()
    """Emitted before every change of colours or sizes. Qt then styles each widget anew, hidden ones too, so
    cached widgets should be deleted now."""
    changed = Signal()

    def __init__(
        self,
        *,
        resources: Path,
        application: QApplication,
        sheets: Sequence[StyleSheetPart] = (),
        parent: QObject | None = None,
    ) -> None:
        """``sheets`` are parts of the style sheet that features add.

        Raises ``OSError`` or ``msgspec.ValidationError`` for incomplete resources.
        """
        super().__init__(parent)
        self._application = application
        self._sheets = tuple(sheets)
        self._by_scheme = {scheme: read_tokens(resources, scheme=scheme) for scheme in Scheme}
        self._in_high_contrast = {
            scheme: read_tokens(resources, scheme=scheme, high_contrast=True) for scheme in Scheme
        }
        self._accents = read_accents(resources)
        self._contrast = Contrast.SYSTEM
        self._system_contrast = SystemContrast(application, parent=self)
        self._system_contrast.changed.connect(self._on_system_contrast_changed)
        self._accent = Accent.EMBER
        self._density = Density.COMFORTABLE
        self._column_width = ColumnWidth.NARROW
        self._shows_statistics = False
        self._icons = IconSet(resources / "icons")
        application.screenAdded.connect(self._on_screen_added)
        for screen in application.screens():
            screen.geometryChanged.connect(
                self.changed
            )  # also emitted for another scale, which needs other icons
        self._choice = ThemeChoice.SYSTEM
        self._text_px = BASE_PX
        self._system = SystemScheme(application, parent=self)
        self._system.changed.connect(self._on_system_changed)
        self._scheme = self._chosen_scheme()
        self._apply()

    @Slot(QScreen)
    def _on_screen_added(self, screen: QScreen) -> None:
        screen.geometryChanged.connect(self.changed)
        self.changed.emit()

    @property
    def tokens(self) -> ThemeTokens:
        return self._tokens

    @property
    def scheme(self) -> Scheme:
        return self._scheme

    @property
    def choice(self) -> ThemeChoice:
        return self._choice

    def set_choice(self, choice: ThemeChoice) -> None:
        """Follow the system, or be always light or dark; title bars and native dialogs too."""
        if choice == self._choice:
            return
        self._choice = choice
        hints = self._application.styleHints()
        match choice:
            case ThemeChoice.SYSTEM:
                hints.unsetColorScheme()
            case ThemeChoice.LIGHT:
                hints.setColorScheme(Qt.ColorScheme.Light)
            case ThemeChoice.DARK:
                hints.setColorScheme(Qt.ColorScheme.Dark)
        self._refresh()

    @property
    def is_high_contrast(self) -> bool:
        """Whether high contrast is in use; the accent colour then has no effect."""
        if self._contrast is Contrast.SYSTEM:
            return self._system_contrast.is_high
        return self._contrast is Contrast.HIGH

    def set_contrast(self, contrast: Contrast) -> None:
        """Use high contrast always, never, or if the system asks for it."""
        before = self.is_high_contrast
        self._contrast = contrast
        if self.is_high_contrast != before:
            self._switch()

    def set_accent(self, accent: Accent) -> None:
        """Change the accent colour, in both schemes."""
        if accent != self._accent:
            self._accent = accent
            self._switch()

    def set_density(self, density: Density) -> None:
        """Change the space between lines and within controls."""
        if density != self._density:
            self._density = density
            self._switch()

    def density_scaled(self, px: float) -> float:
        """Return a distance at the chosen density: ``px`` if it is comfortable."""
        return px if self._density is Density.COMFORTABLE else px * _COMPACT_SHARE

    @property
    def column_width(self) -> ColumnWidth:
        return self._column_width

    @property
    def shows_statistics(self) -> bool:
        """Whether the statistics of an answer are visible without hovering over it."""
        return self._shows_statistics

    def set_chat_layout(self, *, column_width: ColumnWidth, shows_statistics: bool) -> None:
        """Change the width of conversations, and whether answers show their statistics."""
        if (column_width, shows_statistics) != (self._column_width, self._shows_statistics):
            self._column_width, self._shows_statistics = column_width, shows_statistics
            self.changed.emit()

    def set_text_size(self, px: int) -> None:
        """Scale all text: text of 14 pixels becomes ``px`` high."""
        if px != self._text_px:
            self._text_px = px
            self._switch()

    def scaled(self, px: float) -> int:
        """Return ``px`` at the chosen text size."""
        return round(px * self._text_px / BASE_PX)

    def scaled_up(self, px: float) -> int:
        """Return ``px`` at the chosen text size, but never less: for icons and click targets, which do not
        shrink."""
        return max(round(px), self.scaled(px))

    def colour(self, token: str) -> QColor:
        """Return the colour of a token; raises ``AttributeError`` if it does not exist."""
        return QColor(getattr(self.tokens, token))

    def accent_colour(self, accent: str) -> QColor:
        """Return what an accent's main colour is in the scheme in use, by the accent's value."""
        return QColor(self._accents[Accent(accent)][self._scheme].accent)

    def icon(self, name: str, token: str = "mute", size: int = 18) -> QIcon:  # noqa: S107 - a colour
        """Return a Lucide icon in the colour ``token``, ``scaled_up`` from ``size``, until ``changed``."""
        return self._icons.icon(name, colour=getattr(self.tokens, token), size=self.scaled_up(size))

    def set_icon(
        self,
        button: QAbstractButton,
        name: str,
        token: str = "mute",  # noqa: S107 - a colour
        size: int = 18,
    ) -> None:
        """Set the icon and icon size of a button; call it again after ``changed``."""
        button.setIcon(self.icon(name, token, size))
        button.setIconSize(QSize(self.scaled_up(size), self.scaled_up(size)))

    def pixmap(
        self,
        name: str,
        token: str = "mute",  # noqa: S107 - a colour
        size: int = 18,
        *,
        ratio: float = 1.0,
    ) -> QPixmap:
        """Return an icon as a pixmap, ``scaled_up`` from ``size``, for a device pixel ratio of ``ratio``."""
        return self._icons.pixmap(
            name, colour=getattr(self.tokens, token), size=self.scaled_up(size), ratio=ratio
        )

    def ui_font(self, px: float = BASE_PX, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """Return Inter, which has no ligatures here, at ``px``, scaled to the chosen text size."""
        font = QFont(UI_FAMILY)
        font.setPixelSize(self.scaled(px))
        font.setWeight(weight)
        return font

    def mono_font(self, px: float = 13) -> QFont:
        """Return JetBrains Mono, which has no ligatures here, at ``px``, scaled to the chosen text size."""
        font = QFont(MONO_FAMILY)
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setPixelSize(self.scaled(px))
        return font

    def _chosen_scheme(self) -> Scheme:
        match self._choice:
            case ThemeChoice.SYSTEM:
                return self._system.scheme
            case ThemeChoice.LIGHT:
                return Scheme.LIGHT
            case ThemeChoice.DARK:
                return Scheme.DARK

    def _switch(self) -> None:
        self.about_to_change.emit()
        self._apply()
        self.changed.emit()

    def _apply(self) -> None:
        self._tokens = self._chosen_tokens()
        # Qt takes five times as long to replace a style sheet as to set the first one.
        self._application.setStyleSheet("")
        self._application.setFont(self.ui_font())
        self._application.setPalette(palette(self.tokens))
        sheet = stylesheet(
            self.tokens, scaled=self.scaled, scaled_up=self.scaled_up, density_scaled=self.density_scaled
        )
        parts = (sheet, *(write(self) for write in self._sheets))
        contrast_rules = contrast_sheet(self.tokens) if self.is_high_contrast else ""
        self._application.setStyleSheet("\n".join((*parts, contrast_rules)))

    def _chosen_tokens(self) -> ThemeTokens:
        if self.is_high_contrast:
            return self._in_high_contrast[self._scheme]
        return with_accent(self._by_scheme[self._scheme], self._accents[self._accent][self._scheme])

    def _refresh(self) -> None:
        scheme = self._chosen_scheme()
        if scheme != self._scheme:
            self._scheme = scheme
            self._switch()

    @Slot()
    def _on_system_changed(self) -> None:
        self._refresh()

    @Slot()
    def _on_system_contrast_changed(self) -> None:
        if self._contrast is Contrast.SYSTEM:
            self._switch()


_in_use: Theme | None = None


def use_theme(look: Theme) -> None:
    """Put a theme in use, before the first widget is made."""
    global _in_use  # noqa: PLW0603 - an application has one look
    _in_use = look


def theme() -> Theme:
    """Return the theme in use, as ``QApplication.palette()`` returns the palette. GUI thread only."""
    assert _in_use is not None, "no theme is in use yet"
    return _in_use


def palette(tokens: ThemeTokens) -> QPalette:
    """Return Qt's palette, for what the style sheet leaves to Fusion."""
    role = QPalette.ColorRole
    colours = {
        role.Window: tokens.bg,
        role.Base: tokens.bg,
        role.AlternateBase: tokens.card2,
        role.Text: tokens.text,
        role.WindowText: tokens.text,
        role.ButtonText: tokens.text,
        role.BrightText: tokens.text,
        role.Button: tokens.card2,
        role.ToolTipBase: tokens.card2,
        role.ToolTipText: tokens.text,
        role.PlaceholderText: tokens.dim,
        role.Highlight: tokens.accent,
        role.HighlightedText: tokens.on_accent,
        role.Accent: tokens.accent,
        role.Link: tokens.accent,
        role.LinkVisited: tokens.accent,
        role.Light: tokens.card,
        role.Midlight: tokens.card2,
        role.Mid: tokens.line,
        role.Dark: tokens.edge,
        role.Shadow: tokens.shadow,
    }
    result = QPalette()
    for colour_role, colour in colours.items():
        result.setColor(colour_role, QColor(colour))
    for colour_role in (role.Text, role.WindowText, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, colour_role, QColor(tokens.dim))
    return result


# Whether the system prefers light or dark, and changes of that preference


_SERVICE = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_INTERFACE = "org.freedesktop.portal.Settings"
_NAMESPACE = "org.freedesktop.appearance"
_KEY = "color-scheme"
_TIMEOUT_MS = 2000
_PORTAL_DARK = 1


class SystemScheme(QObject):
    """The system's scheme: from Qt, else from the desktop portal, else light.

    Qt reports ``Unknown`` on Linux desktops whose platform theme has no scheme; those report it on D-Bus. The
    portal is called asynchronously, so that its reply may arrive after the window is shown.
    """

    changed = Signal()

    def __init__(self, application: QGuiApplication, *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hints = application.styleHints()
        self._portal: Scheme | None = None
        self._hints.colorSchemeChanged.connect(self._on_qt_scheme_changed)
        if sys.platform.startswith("linux"):
            self._query_portal()

    @property
    def scheme(self) -> Scheme:
        match self._hints.colorScheme():
            case Qt.ColorScheme.Dark:
                return Scheme.DARK
            case Qt.ColorScheme.Light:
                return Scheme.LIGHT
            case _:
                return self._portal or Scheme.LIGHT

    def _query_portal(self) -> None:
        from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            return
        # PySide's stub has bytes here, its run time needs str.
        slot: Any = SLOT("on_setting_changed(QString,QString,QDBusVariant)")
        bus.connect(_SERVICE, _PATH, _INTERFACE, "SettingChanged", self, slot)
        call = QDBusMessage.createMethodCall(_SERVICE, _PATH, _INTERFACE, "Read")
        call.setArguments([_NAMESPACE, _KEY])
        self._watcher = QDBusPendingCallWatcher(bus.asyncCall(call, _TIMEOUT_MS), self)
        self._watcher.finished.connect(self._on_portal_answered)

    @Slot()
    def _on_portal_answered(self) -> None:
        reply = self._watcher.reply()
        if arguments := reply.arguments():
            self._apply_portal_value(arguments[0])
        self._watcher.deleteLater()

    @Slot(str, str, "QDBusVariant")
    def on_setting_changed(self, namespace: str, key: str, value: QDBusVariant) -> None:
        """Handle the portal's signal; public because Qt finds the slot by its name."""
        if (namespace, key) == (_NAMESPACE, _KEY):
            self._apply_portal_value(value)

    def _apply_portal_value(self, value: object) -> None:
        while hasattr(value, "variant"):
            value = value.variant()
        if not isinstance(value, int):
            return
        self._portal = Scheme.DARK if value == _PORTAL_DARK else Scheme.LIGHT
        self.changed.emit()

    @Slot()
    def _on_qt_scheme_changed(self) -> None:
        self.changed.emit()


# Draw Lucide's outline icons in any colour, sharp on every screen


_DISABLED_OPACITY = 0.4


class IconSet:
    """The icons in a folder, read when they are first drawn. GUI thread only."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sources: dict[str, str] = {}
        self._drawn: dict[tuple[str, str, int, float, bool], QPixmap] = {}

    def icon(self, name: str, *, colour: str, size: int) -> QIcon:
        """Return an icon of ``size`` logical pixels for every pixel ratio among the screens."""
        icon = QIcon()
        for ratio in sorted({screen.devicePixelRatio() for screen in QGuiApplication.screens()}):
            for mode, faded in ((QIcon.Mode.Normal, False), (QIcon.Mode.Disabled, True)):
                icon.addPixmap(self._draw(name, colour=colour, size=size, ratio=ratio, faded=faded), mode)
        return icon

    def pixmap(self, name: str, *, colour: str, size: int, ratio: float) -> QPixmap:
        """Return the icon drawn at exactly ``ratio``."""
        return self._draw(name, colour=colour, size=size, ratio=ratio, faded=False)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all icons."""
        return frozenset(path.stem for path in self._folder.glob("*.svg"))

    def _draw(self, name: str, *, colour: str, size: int, ratio: float, faded: bool) -> QPixmap:
        key = (name, colour, size, ratio, faded)
        if key not in self._drawn:
            if faded:
                pixmap = self._draw(name, colour=colour, size=size, ratio=ratio, faded=False)
                self._drawn[key] = _faded(pixmap)
            else:
                self._drawn[key] = self._render(name, colour=colour, size=size, ratio=ratio)
        return self._drawn[key]

    def _render(self, name: str, *, colour: str, size: int, ratio: float) -> QPixmap:
        # Lucide is drawn for 24 pixels; at the sizes used here a stroke of 2 looks heavy beside Inter.
        source = self._source(name).replace("currentColor", colour).replace('width="2"', 'width="1.8"')
        renderer = QSvgRenderer(QByteArray(source.encode()))
        side = round(size * ratio)
        pixmap = QPixmap(side, side)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        renderer.render(painter, QRectF(0, 0, side, side))
        painter.end()
        pixmap.setDevicePixelRatio(ratio)
        return pixmap

    def _source(self, name: str) -> str:
        if name not in self._sources:
            self._sources[name] = (self._folder / f"{name}.svg").read_text(encoding="utf-8")
        return self._sources[name]


def _faded(enabled: QPixmap) -> QPixmap:
    """Return the icon of a disabled button."""
    pixmap = QPixmap(enabled.size())
    pixmap.setDevicePixelRatio(enabled.devicePixelRatio())
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setOpacity(_DISABLED_OPACITY)
    painter.drawPixmap(0, 0, enabled)
    painter.end()
    return pixmap
