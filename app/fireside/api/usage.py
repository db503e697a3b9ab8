"""Usage, timings, finish reason and logprobs of answers in the formats of OpenAI and llama.cpp."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from fireside.core.generation import Finished, FinishReason, PromptProgress, TokenLogprobs

_MIN_LOGPROB: Final = -9999.0
"""OpenAI's value for a token with probability 0, since JSON has no infinity."""
_REASONS: Final[Mapping[FinishReason, str]] = {
    FinishReason.STOP: "stop",
    FinishReason.LENGTH: "length",
    FinishReason.TOOL_CALL: "tool_calls",
    FinishReason.REPETITION: "length",
}


def finish_reason(end: Finished) -> str:
    """Return OpenAI's finish reason."""
    return _REASONS[end.reason]


def usage_of(ends: Sequence[Finished]) -> dict[str, Any]:
    """Return the token usage of all answers to one prompt; the prompt counts once."""
    n_prompt = ends[0].usage.n_prompt
    n_completion = sum(end.usage.n_completion for end in ends)
    return {
        "prompt_tokens": n_prompt,
        "completion_tokens": n_completion,
        "total_tokens": n_prompt + n_completion,
        "prompt_tokens_details": {"cached_tokens": ends[0].usage.n_cached},
        "completion_tokens_details": {"reasoning_tokens": sum(end.usage.n_reasoning for end in ends)},
    }


def timings_of(end: Finished) -> dict[str, Any]:
    """Return llama.cpp's timings."""
    usage, timings = end.usage, end.timings
    n_read = usage.n_prompt - usage.n_cached
    n_decoded = usage.n_completion - 1  # the first token comes from reading the prompt
    return {
        "cache_n": usage.n_cached,
        "prompt_n": n_read,
        "prompt_ms": timings.prompt_s * 1000,
        "prompt_per_token_ms": timings.prompt_s * 1000 / n_read if n_read else 0.0,
        "prompt_per_second": n_read / timings.prompt_s if timings.prompt_s > 0 else 0.0,
        "predicted_n": usage.n_completion,
        "predicted_ms": timings.decode_s * 1000,
        "predicted_per_token_ms": timings.decode_s * 1000 / n_decoded if n_decoded > 0 else 0.0,
        "predicted_per_second": timings.tokens_per_second(n_completion=usage.n_completion),
    } | ({"draft_n": usage.n_drafted, "draft_n_accepted": usage.n_draft_accepted} if usage.n_drafted else {})


def progress_of(progress: PromptProgress) -> dict[str, int]:
    """Return llama.cpp's prompt progress."""
    return {"total": progress.n_total, "cache": progress.n_cached, "processed": progress.n_done}


def logprobs_of(tokens: Iterable[TokenLogprobs]) -> dict[str, Any]:
    """Return logprobs as in OpenAI's chat completions."""
    content = [
        {
            **_token(each.chosen.piece, each.chosen.logprob),
            "top_logprobs": [_token(top.piece, top.logprob) for top in each.top],
        }
        for each in tokens
    ]
    return {"content": content, "refusal": None}


def _token(piece: bytes, logprob: float) -> dict[str, Any]:
    return {
        "token": piece.decode("utf-8", "replace"),
        "logprob": finite(logprob),
        "bytes": list(piece),
    }


def finite(logprob: float) -> float:
    """Return a logprob that JSON can represent."""
    return logprob if math.isfinite(logprob) else _MIN_LOGPROB


def vector_floats(vector: bytes) -> array[float]:
    """Decode a vector of little-endian 32-bit floats."""
    numbers = array("f", vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
