"""What becomes of decisions while nothing may be loaded."""

from __future__ import annotations

from fireside.core.generation import WaitsFor
from fireside.engine.decisions import Decision, Evict, Load, Wait


def held_back(decision: Decision, *, measured: str) -> Decision:
    """Return ``decision``, or a wait in place of a load, or of an eviction that makes room for one.

    ``measured`` is the name of the model that is being measured meanwhile.
    """
    if isinstance(decision, Load) or (isinstance(decision, Evict) and decision.claim is not None):
        assert decision.claim is not None
        return Wait(claim=decision.claim, waits_for=WaitsFor.MEASURING, model=measured)
    return decision
