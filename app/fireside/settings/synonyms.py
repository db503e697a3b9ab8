"""What searches find settings by: their names, synonyms and descriptions."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from fireside.core.i18n import tr, tr_noop
from fireside.core.text_folding import fold
from fireside.settings.definitions import BY_KEY
from fireside.settings.values import Group, SettingDefinition

_OF_GROUPS: Final[dict[str, str]] = {
    Group.API: tr_noop("api server; openai api; base url"),
    Group.ENGINES: tr_noop(
        "engines; add engine; remote engine; remote server; provider; vllm; sglang; openrouter"
    ),
    Group.PRIVACY: tr_noop("connections; network log; traffic"),
    Group.BACKUPS: tr_noop("restore backup; safety copy"),
    Group.ABOUT: tr_noop("check for updates; version; licences"),
}
"""As ``SettingDefinition.synonyms``."""


class SettingMatch(IntEnum):
    """How well a setting matches a search, the best last."""

    NONE = 0
    DESCRIPTION = 1
    """The terms are in its description."""
    NAME = 2
    """The terms are in one of its names."""


def synonyms(key: str) -> tuple[str, ...]:
    """Return other names of a setting or section, in English and in the language of the window."""
    english = BY_KEY[key].synonyms if key in BY_KEY else _OF_GROUPS.get(key, "")
    names = f"{english}; {tr(english)}" if english else ""
    return tuple(dict.fromkeys(name.strip() for name in names.split(";") if name.strip()))


def match(definition: SettingDefinition, query: str) -> SettingMatch:
    """Return how well a setting matches the terms of ``query``, in any order and case. An empty query matches
    the names of all settings."""
    terms = fold(query).split()
    _, _, option = definition.key.partition(".")
    names = (tr(definition.label), definition.label, option, *synonyms(definition.key))
    if any(_contains(name, terms) for name in names):
        return SettingMatch.NAME
    description = " ".join((*names, definition.key, tr(definition.help), tr(definition.group)))
    return SettingMatch.DESCRIPTION if _contains(description, terms) else SettingMatch.NONE


def _contains(text: str, terms: list[str]) -> bool:
    folded = fold(text)
    return all(term in folded for term in terms)
