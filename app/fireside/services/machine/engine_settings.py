"""Read the engine's limits from the settings."""

from __future__ import annotations

from typing import Final

from fireside.engine.options import EngineOptions
from fireside.settings.conversions import load_patience_s, max_models
from fireside.settings.values import ResolvedSetting

ENGINE_LIMIT_KEYS: Final = frozenset({"engine.max_models", "engine.load_patience_s"})


def engine_options(resolved: tuple[ResolvedSetting, ...]) -> EngineOptions:
    """Return the limits in force; those without a setting are the engine's defaults."""
    return EngineOptions(max_models=max_models(resolved), load_limit_s=load_patience_s(resolved))
