"""Build fill-in-the-middle (FIM) prompts for models that were trained for them."""

from __future__ import annotations

import msgspec
import numpy as np

from fireside.runner.tokens import Tokens


class InfillTokens(msgspec.Struct, frozen=True, kw_only=True):
    """The model's FIM tokens: before the prefix, before the suffix, and before the text to generate."""

    prefix: int
    suffix: int
    middle: int


class Gap(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The text around a gap, as tokens."""

    bos: Tokens
    """The BOS token, where the model uses one."""
    before: Tokens
    after: Tokens

    @property
    def n_tokens(self) -> int:
        """Length of the whole prompt in tokens."""
        return self._n_fixed + len(self.before) + len(self.after)

    @property
    def _n_fixed(self) -> int:
        return len(self.bos) + 3

    def truncated(self, n_available: int) -> Gap:
        """Return this with at most ``n_available`` tokens, cutting what is farthest from the gap.

        The text after the gap gets a quarter, or what the text before it leaves.
        """
        n_text = max(0, n_available - self._n_fixed)
        n_after = min(len(self.after), max(n_text // 4, n_text - len(self.before)))
        n_before = min(len(self.before), n_text - n_after)
        return Gap(
            bos=self.bos,
            before=self.before[len(self.before) - n_before :],
            after=self.after[:n_after],
        )

    def to_tokens(self, special: InfillTokens) -> Tokens:
        """Return the prompt: prefix, suffix, middle, the order that all FIM models know."""
        before, after, gap = (
            np.array([token], np.int32) for token in (special.prefix, special.suffix, special.middle)
        )
        return np.concatenate([self.bos, before, self.before, after, self.after, gap])
