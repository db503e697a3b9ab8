"""Prometheus metrics, under the names of llama.cpp's server."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from fireside.api.api_service import ApiService
from fireside.api.http_error import HttpError
from fireside.api.http_messages import HttpRequest, HttpResponse

_CONTENT_TYPE: Final = "text/plain; version=0.0.4"


async def get_metrics(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle ``/metrics``, if the setting ``api.metrics`` is on."""
    del request
    if not service.options.metrics_enabled:
        raise HttpError(
            HTTPStatus.NOT_IMPLEMENTED,
            "Metrics are off. The setting “api.metrics” turns them on.",
            code="not_supported_error",
        )
    activity = service.activity
    running = [each for each in activity.running if each.path != "/metrics"]
    n_queued = sum(each.is_queued for each in running)
    rows: list[tuple[str, str, str, float]] = [
        ("prompt_tokens_total", "counter", "Prompt tokens read.", activity.n_prompt),
        ("prompt_tokens_cached_total", "counter", "Prompt tokens found in a cache.", activity.n_cached),
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
        for name, kind, description, value in rows
        for line in (
            f"# HELP llamacpp:{name} {description}",
            f"# TYPE llamacpp:{name} {kind}",
            f"llamacpp:{name} {value:.6g}",
        )
    ]
    started = (("Process-Start-Time-Unix", str(int(activity.started_at))),)
    return HttpResponse(body="\n".join((*lines, "")).encode(), content_type=_CONTENT_TYPE, headers=started)


def _rate(n: int, seconds: float) -> float:
    return n / seconds if seconds > 0 else 0.0
