"""Which model of the catalogue a newcomer is offered on this computer, and the others by fit. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from fireside.core.discovery import CatalogueModel, FitEstimate, SuggestedModel
from fireside.core.fit import Rating

MOST_BYTES: Final = 8_000_000_000
"""A first model arrives within minutes; larger ones are for those who look for them."""
COMFORTABLE: Final = 8.0
"""Tokens a second: faster than most people read, with some left for thinking."""
_RATINGS: Final = tuple(Rating)


def first_model(
    models: Sequence[CatalogueModel], estimates: Sequence[FitEstimate | None]
) -> SuggestedModel | None:
    """Return the one model that suits this computer, of those for everyday use; ``None`` if none fits.

    The start page's button and “For this computer” of Find models both use it, so that they name the same.
    It is the one with the most parameters at work among those that answer comfortably; where none does, the
    fastest. A speed that is not known counts as comfortable. ``estimates`` belong to ``models``.
    """
    fitting = [
        SuggestedModel(model=model, estimate=estimate)
        for model, estimate in zip(models, estimates, strict=True)
        if estimate is not None
        and estimate.where.runs
        and model.is_for_everyday_use
        and model.size_bytes <= MOST_BYTES
    ]
    comfortable = [suggested for suggested in fitting if _tokens_per_s(suggested) >= COMFORTABLE]
    if comfortable:
        return max(comfortable, key=lambda each: each.model.n_active_params or each.model.n_params)
    fastest = max(fitting, key=_tokens_per_s, default=None)
    return None if fastest is None else replace(fastest, is_comfortable=False)


def suggestions(
    models: Sequence[CatalogueModel], estimates: Sequence[FitEstimate | None]
) -> tuple[SuggestedModel, ...]:
    """Return ``models``, each with its estimate: the first model, then those that chat, best fit first."""
    first = first_model(models, estimates)
    suggested = [
        SuggestedModel(model=model, estimate=estimate, is_first=first is not None and model is first.model)
        for model, estimate in zip(models, estimates, strict=True)
        if estimate is not None
    ]
    return tuple(sorted(suggested, key=_rank))


def _rank(suggested: SuggestedModel) -> tuple[bool, bool, int]:
    rating = _RATINGS.index(suggested.estimate.rating)
    return not suggested.is_first, suggested.model.is_helper, rating


def _tokens_per_s(suggested: SuggestedModel) -> float:
    speed = suggested.estimate.speed
    return speed.likely if speed is not None else math.inf
