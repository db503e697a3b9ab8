"""What an answer took, why it ended and how likely its tokens were, as OpenAI's API and llama.cpp tell it."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from fireside.core.generation import Finished, FinishReason, PromptProgress, TokenLogprobs

LEAST_LOGPROB: Final = -9999.0
"""JSON has no infinity; OpenAI's API writes this for what cannot come."""
_REASONS: Final[Mapping[FinishReason, str]] = {
    FinishReason.STOP: "stop",
    FinishReason.LENGTH: "length",
    FinishReason.TOOL_CALL: "tool_calls",
    FinishReason.REPETITION: "length",
}


def finish_reason(end: Finished) -> str:
    """Return why an answer ended, in OpenAI's words."""
    return _REASONS[end.reason]


def usage_of(ends: Sequence[Finished]) -> dict[str, Any]:
    """Return the tokens of answers to one prompt, which counts once."""
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
    """Return how fast it went, as llama.cpp's server tells it."""
    usage, timings = end.usage, end.timings
    n_read = usage.n_prompt - usage.n_cached
    n_decoded = usage.n_completion - 1  # the first token comes of the prompt
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
    }


def progress_of(progress: PromptProgress) -> dict[str, int]:
    """Return how far a prompt is read, as llama.cpp's server tells it."""
    return {"total": progress.n_total, "cache": progress.n_cached, "processed": progress.n_done}


def logprobs_of(tokens: Iterable[TokenLogprobs]) -> dict[str, Any]:
    """Return probabilities as chat completions have them."""
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
    """Return a logarithm that JSON can hold."""
    return logprob if math.isfinite(logprob) else LEAST_LOGPROB


def numbers_of(vector: bytes) -> array[float]:
    """Return the numbers of a vector, which are 32 bits each, least significant byte first."""
    numbers = array("f", vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
