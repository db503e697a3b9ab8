"""What was done so far in numbers, as Prometheus reads it and under llama.cpp's names."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from fireside.api.answers import Answers
from fireside.api.calls import Call, Reply
from fireside.api.refusal import Refusal

_TEXT: Final = "text/plain; version=0.0.4"


async def show_metrics(answers: Answers, call: Call) -> Reply:
    """Answer ``/metrics``, where the user lets clients see it."""
    del call
    if not answers.options.shows_metrics:
        raise Refusal(
            HTTPStatus.NOT_IMPLEMENTED,
            "Metrics are off. The setting “api.metrics” turns them on.",
            code="not_supported_error",
        )
    activity = answers.activity
    running = [each for each in activity.running if each.path != "/metrics"]
    n_queued = sum(each.is_queued for each in running)
    rows: list[tuple[str, str, str, float]] = [
        ("prompt_tokens_total", "counter", "Prompt tokens read.", activity.n_prompt),
        (
            "prompt_tokens_cached_total",
            "counter",
            "Prompt tokens found in a cache.",
            activity.n_cached,
        ),
        ("prompt_seconds_total", "counter", "Time spent reading prompts.", activity.prompt_s),
        ("tokens_predicted_total", "counter", "Tokens generated.", activity.n_completion),
        ("tokens_predicted_seconds_total", "counter", "Time spent generating.", activity.decode_s),
        (
            "prompt_tokens_seconds",
            "gauge",
            "Prompt tokens a second.",
            _rate(activity.n_prompt, activity.prompt_s),
        ),
        (
            "predicted_tokens_seconds",
            "gauge",
            "Generated tokens a second.",
            _rate(activity.n_completion, activity.decode_s),
        ),
        ("requests_processing", "gauge", "Requests being answered.", len(running) - n_queued),
        ("requests_deferred", "gauge", "Requests queued.", n_queued),
    ]
    lines = [
        line
        for name, kind, words, value in rows
        for line in (
            f"# HELP llamacpp:{name} {words}",
            f"# TYPE llamacpp:{name} {kind}",
            f"llamacpp:{name} {value:.6g}",
        )
    ]
    began = (("Process-Start-Time-Unix", str(int(activity.began_at))),)
    return Reply(body="\n".join((*lines, "")).encode(), content_type=_TEXT, headers=began)


def _rate(n: int, seconds: float) -> float:
    return n / seconds if seconds > 0 else 0.0
