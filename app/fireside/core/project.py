"""What a project sets for its chats. A project is a folder that has settings or collections."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

import msgspec

from fireside.core.options import SettingValue

PROJECT_INSTRUCTIONS_KEY: Final = "chat.project_instructions"
"""Setting of a project: what follows the system prompt in its chats."""
DEFAULT_MODEL_KEY: Final = "chat.default_model"
"""Setting of the program and of a project: the model of new chats."""
OWN_COLLECTION_KEY: Final = "project.collection"
"""In a project's settings: the id of the collection of the files that were added to the project itself."""
ORIGIN_KEY: Final = "project.origin"
"""In a project's settings: what an imported project is called across databases and programs."""
IMPORTED_KEY: Final = "project.imported"
"""In a project's settings: what the last import set, as JSON: so the next one tells what changed here."""
SUGGESTED_FACTS_KEY: Final = "project.suggested_facts"
"""In a project's settings: the facts of its file that wait for the user."""
IMPORTED_FACTS_KEY: Final = "project.imported_facts"
"""In a project's settings: all facts of its file so far: none is suggested again."""
INSTRUCTIONS_CHARACTERS: Final = 100_000
_MARK_DIGITS: Final = 8


def document_mark(origin: str) -> str:
    """Return how the name of the folder of an imported project's documents ends."""
    return hashlib.sha256(origin.encode()).hexdigest()[:_MARK_DIGITS]


def suggested_facts(settings: Mapping[str, SettingValue]) -> tuple[str, ...]:
    """Return the facts that came with a project and wait for the user, from its settings."""
    value = settings.get(SUGGESTED_FACTS_KEY)
    return value if isinstance(value, tuple) else ()


class ProjectSize(msgspec.Struct, frozen=True, kw_only=True):
    """What an export of a project would have."""

    n_chats: int
    n_documents: int = 0
    documents_bytes: int = 0


class MoveEffect(msgspec.Struct, frozen=True, kw_only=True):
    """What is different for chats in another folder, from their next answer on."""

    loses_instructions: bool = False
    gains_instructions: bool = False
    lost_collections: tuple[str, ...] = ()
    """By name."""
    gained_collections: tuple[str, ...] = ()
    n_lost_facts: int = 0
    """Remembered facts of the folder before, where memory is on; likewise:"""
    n_gained_facts: int = 0
    tools_off: tuple[str, ...] = ()
    """Keys of their settings."""
    tools_on: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Keys of other settings that have another value."""
    keeps_model: bool = False
    """Whether the folder has a model, which is not that of all the chats: they keep theirs."""
