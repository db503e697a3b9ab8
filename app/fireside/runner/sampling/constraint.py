"""Match an answer against a compiled constraint, token by token."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from fireside.core.errors import ConstraintInvalid
from fireside.core.i18n import tr_noop
from fireside.runner.sampling.llguidance_grammar import matching_error
from fireside.runner.sampling.shortlist import Ids

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLTokenizer


class ConstraintMatcher:
    """A constraint applied to one answer, with its current state.

    Args:
        matcher: owned by this object, in its initial state.
        kind: name of the kind of constraint, for messages to the user.
        ends_answer: whether the answer ends once the constraint is fulfilled.
    """

    def __init__(self, matcher: LLMatcher, tokenizer: LLTokenizer, *, kind: str, ends_answer: bool) -> None:
        self._matcher = matcher
        self._tokenizer = tokenizer
        self._kind = kind
        self.ends_answer = ends_answer
        self._mask = np.zeros((tokenizer.vocab_size + 31) // 32, np.uint32)

    @property
    def is_complete(self) -> bool:
        """Whether no further token is allowed.

        Raises:
            ConstraintInvalid: it could not be followed within the limits.
        """
        if self._matcher.is_error():
            raise self._failure()
        return self._matcher.is_stopped()

    @property
    def is_fulfilled(self) -> bool:
        """Whether the text may end here."""
        return self._matcher.is_accepting()

    def consume(self, token: int) -> bool:
        """Advance by ``token`` if it is allowed; return whether it was."""
        return self._matcher.try_consume_tokens([token]) == 1

    def consume_text(self, text: str) -> bool:
        """Advance by text that is already written; false if it violates the constraint."""
        tokenizations = (
            self._tokenizer.greedy_tokenize(text),
            self._tokenizer.tokenize_str(text, parse_special=True),
        )
        for tokens in tokenizations:
            advanced = self._matcher.deep_copy()
            if advanced.try_consume_tokens(tokens) == len(tokens):
                self._matcher = advanced
                return True
        return False

    def allowed(self) -> Ids:
        """Return the tokens that are allowed next, in ascending order.

        Raises:
            ConstraintInvalid: there are none, or they cannot be found within the limits.
        """
        mask = self._mask
        self._matcher.unsafe_compute_mask_ptr(mask.ctypes.data, mask.nbytes)
        if self._matcher.is_error():
            raise self._failure()
        ids = np.flatnonzero(np.unpackbits(mask.view(np.uint8), bitorder="little"))
        if not len(ids):
            raise ConstraintInvalid(kind=self._kind, reason=tr_noop("no token of this model can fulfil it."))
        return ids

    def _failure(self) -> ConstraintInvalid:
        return ConstraintInvalid(kind=self._kind, reason=matching_error(self._matcher.get_error()))


def advance_past(matcher: ConstraintMatcher, prefix: str) -> ConstraintMatcher | None:
    """Return ``matcher`` after ``prefix``; ``None``, with a line in the log, if that violates it."""
    if not prefix or matcher.consume_text(prefix):
        return matcher
    # Not the text itself: logs must not contain chats.
    sys.stderr.write(f"A constraint was dropped: {len(prefix)} characters of the answer violate it.\n")
    return None
