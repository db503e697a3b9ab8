"""The pages of the window, declared once: titles, icons, keys, and where they are found.

``shell/pages.py`` makes them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.i18n import tr_noop


class Page(StrEnum):
    """What the right side of the window can show, and the command that does so."""

    CHAT = "chat"
    DISCOVER = "discover"
    MODELS = "models"
    DOCUMENTS = "documents"
    PROJECTS = "projects"
    DOWNLOADS = "downloads"
    TOOLS = "tools"
    MEMORY = "memory"
    SKILLS = "skills"
    HARDWARE = "hardware"
    SETTINGS = "settings"


class PageWidth(StrEnum):
    """How much of the window a page uses."""

    COLUMN = "column"
    """As much as a text."""
    COLUMN_AND_ASIDE = "column and aside"
    WHOLE = "whole"


class PageSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Title, icon, key and place of a page."""

    page: Page
    title: str
    """In the header, in the sidebar and of the command."""
    icon: str
    key: str
    """Shows the page, or the chat if the page is current already."""
    parent: Page | None = None
    """The page that leads to it, if it has no row in the sidebar."""
    is_in_footer: bool = False
    """Whether its row is at the end of the sidebar."""
    is_for_settings: bool = False
    """Whether it is in the menu of settings."""
    width: PageWidth = PageWidth.COLUMN


# Cmd+M minimises a window on macOS.
_MODELS_KEY: Final = "Ctrl+Shift+M" if sys.platform == "darwin" else "Ctrl+M"
_SPECS: Final = (
    PageSpec(
        page=Page.DISCOVER, title=tr_noop("Find models"), icon="compass", key="Ctrl+D", parent=Page.MODELS
    ),
    PageSpec(page=Page.MODELS, title=tr_noop("Models"), icon="box", key=_MODELS_KEY, width=PageWidth.WHOLE),
    PageSpec(page=Page.DOCUMENTS, title=tr_noop("Documents"), icon="file-text", key="Ctrl+Shift+O"),
    PageSpec(page=Page.PROJECTS, title=tr_noop("Projects"), icon="folder", key="Ctrl+Shift+G"),
    PageSpec(
        page=Page.DOWNLOADS,
        title=tr_noop("Downloads"),
        icon="download",
        key="Ctrl+Shift+D",
        is_in_footer=True,
    ),
    PageSpec(
        page=Page.TOOLS, title=tr_noop("Tools"), icon="wrench", key="Ctrl+Shift+T", is_for_settings=True
    ),
    PageSpec(
        page=Page.MEMORY,
        title=tr_noop("Remembered facts"),
        icon="brain",
        key="Ctrl+Alt+M",
        parent=Page.SETTINGS,
        is_for_settings=True,
    ),
    PageSpec(
        page=Page.SKILLS,
        title=tr_noop("Skills"),
        icon="scroll-text",
        key="Ctrl+Shift+R",
        parent=Page.TOOLS,
        is_for_settings=True,
    ),
    PageSpec(
        page=Page.HARDWARE,
        title=tr_noop("Hardware"),
        icon="cpu",
        key="Ctrl+Shift+H",
        parent=Page.SETTINGS,
        is_for_settings=True,
    ),
    PageSpec(
        page=Page.SETTINGS,
        title=tr_noop("Settings"),
        icon="settings",
        key="Ctrl+,",
        is_in_footer=True,
        is_for_settings=True,
        width=PageWidth.COLUMN_AND_ASIDE,
    ),
)
PAGES: Final[Mapping[Page, PageSpec]] = {spec.page: spec for spec in _SPECS}
"""All but the chat, whose title is its own and which every other page leads back to."""


def sidebar_page(page: Page) -> Page:
    """Return the page whose row in the sidebar is marked while ``page`` is shown."""
    spec = PAGES.get(page)
    return page if spec is None or spec.parent is None else spec.parent
