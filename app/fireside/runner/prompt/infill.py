"""Word a gap in a text for models that were taught to fill one in."""

from __future__ import annotations

import msgspec
import numpy as np

from fireside.runner.tokens import Tokens


class InfillTokens(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens by which a model tells what stands before a gap, what behind it, and where it is to begin."""

    prefix: int
    suffix: int
    middle: int


class Gap(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What stands around a gap, as tokens."""

    lead: Tokens
    """What begins every prompt, if anything."""
    before: Tokens
    after: Tokens

    @property
    def n_tokens(self) -> int:
        """Tokens of the whole prompt."""
        return self._n_fixed + len(self.before) + len(self.after)

    @property
    def _n_fixed(self) -> int:
        return len(self.lead) + 3

    def cut_to(self, n_room: int) -> Gap:
        """Return what is left in ``n_room`` tokens without what is farthest from the gap.

        What is behind the gap gets a quarter, or what the text before it leaves.
        """
        n_text = max(0, n_room - self._n_fixed)
        n_after = min(len(self.after), max(n_text // 4, n_text - len(self.before)))
        n_before = min(len(self.before), n_text - n_after)
        return Gap(
            lead=self.lead,
            before=self.before[len(self.before) - n_before :],
            after=self.after[:n_after],
        )

    def worded(self, marks: InfillTokens) -> Tokens:
        """Return the prompt: before, behind, and then the gap, the order that all these models know."""
        before, after, gap = (
            np.array([token], np.int32) for token in (marks.prefix, marks.suffix, marks.middle)
        )
        return np.concatenate([self.lead, before, self.before, after, self.after, gap])
