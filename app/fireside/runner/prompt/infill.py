"""Build fill-in-the-middle (FIM) prompts for models that were trained for them."""

from __future__ import annotations

import msgspec
import numpy as np

from fireside.runner.tokens import NO_TOKENS, Tokens


class InfillTokens(msgspec.Struct, frozen=True, kw_only=True):
    """The model's FIM tokens: before the prefix, before the suffix, and before the text to generate.

    The other two, which some models have, begin a project and each of its files.
    """

    prefix: int
    suffix: int
    middle: int
    project: int = -1
    file: int = -1

    @property
    def has_files(self) -> bool:
        """Whether the model was taught to see other files."""
        return min(self.project, self.file) >= 0


class Gap(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The text around a gap, as tokens."""

    bos: Tokens
    """The BOS token, where the model uses one."""
    before: Tokens
    after: Tokens
    files: Tokens = NO_TOKENS
    """What stands before it of other files."""

    @property
    def n_tokens(self) -> int:
        """Length of the whole prompt in tokens."""
        return self._n_fixed + len(self.files) + len(self.before) + len(self.after)

    @property
    def _n_fixed(self) -> int:
        return len(self.bos) + 3

    def truncated(self, n_available: int) -> Gap:
        """Return this with at most ``n_available`` tokens, cutting what is farthest from the gap.

        The text after the gap gets a quarter, or what the text before it leaves; other files get what both
        leave.
        """
        n_text = max(0, n_available - self._n_fixed)
        n_files = min(len(self.files), max(0, n_text - len(self.before) - len(self.after)))
        n_after = min(len(self.after), max(n_text // 4, n_text - len(self.before)))
        n_before = min(len(self.before), n_text - n_after)
        return Gap(
            bos=self.bos,
            before=self.before[len(self.before) - n_before :],
            after=self.after[:n_after],
            files=self.files[len(self.files) - n_files :],
        )

    def to_tokens(self, special: InfillTokens) -> Tokens:
        """Return the prompt: prefix, suffix, middle, the order that all FIM models know."""
        before, after, gap = (
            np.array([token], np.int32) for token in (special.prefix, special.suffix, special.middle)
        )
        return np.concatenate([self.bos, self.files, before, self.before, after, self.after, gap])
