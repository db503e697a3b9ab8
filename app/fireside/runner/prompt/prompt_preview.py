"""A prompt as the user may look at it: the tokens that a model is given, each with its bytes."""

from __future__ import annotations

from collections.abc import Iterator

from fireside.core.ids import RequestId
from fireside.core.inspection import PromptToken
from fireside.runner.decoder import Vocabulary
from fireside.runner.prompt.prompt_fitting import FittedPrompt
from fireside.wire.messages import SHOWN_TOKENS, PromptShown


def shown_parts(request_id: RequestId, fitted: FittedPrompt, *, vocab: Vocabulary) -> Iterator[PromptShown]:
    """Return the tokens of a prompt that fits, in portions for one frame each."""
    tokens = [_prompt_token(token, vocab) for token in fitted.tokens.tolist()]
    for start in range(0, len(tokens), SHOWN_TOKENS):
        end = start + SHOWN_TOKENS
        yield PromptShown(
            request_id=request_id,
            tokens=tuple(tokens[start:end]),
            is_last=end >= len(tokens),
            truncation=fitted.truncation,
        )


def _prompt_token(token: int, vocab: Vocabulary) -> PromptToken:
    if token < 0:
        return PromptToken(token, b"", is_special=False)
    return PromptToken(token, vocab.spelled(token), is_special=vocab.is_control(token))
