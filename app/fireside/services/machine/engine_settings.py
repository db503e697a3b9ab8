"""The engine's limits as the settings have them."""

from __future__ import annotations

from typing import Final

from fireside.engine.options import EngineOptions
from fireside.settings.conversions import load_patience_s, max_models
from fireside.settings.values import ResolvedSetting

ENGINE_LIMIT_KEYS: Final = frozenset({"engine.max_models", "engine.load_patience_s"})


def engine_options(resolved: tuple[ResolvedSetting, ...]) -> EngineOptions:
    """Return the limits in force; those that no setting has are the engine's own."""
    return EngineOptions(max_models=max_models(resolved), load_limit_s=load_patience_s(resolved))
