"""Send what the API's own document allows, and what it does not, and print as JSON what failed.

Runs in a process of its own: ``fuzz.py ADDRESS N_EXAMPLES [PATH…]``, by default all paths.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

ADDRESS, N_EXAMPLES, *PATHS = sys.argv[1], int(sys.argv[2]), *sys.argv[3:]
_SLOW_S = 120
_TURNED_OFF = 501
_CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]
_LENGTHS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "n_predict", "num_predict")


_PROMPTED = ("/completion", "/completions", "/v1/completions")


def _make_answerable(body: dict[str, Any], path: str) -> None:
    """Ask a model that there is for a short answer: whatever else is in the body is as it was made."""
    body.pop("model", None)  # else hardly any would be of one
    if path in _PROMPTED:
        body["prompt"] = body.get("prompt") or "Hi"  # most would have none
    for holder in (body, body.get("options")):
        for name in _LENGTHS:
            if isinstance(holder, dict) and isinstance(holder.get(name), int):
                holder[name] = min(holder[name], 4)


def fuzzed(operation: Any, mode: GenerationMode) -> tuple[list[int], list[str]]:
    """Return the statuses of all replies, and the requests that failed."""
    statuses, failed = [], []

    @seed(1)
    @settings(
        max_examples=N_EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        if mode is GenerationMode.POSITIVE and isinstance(case.body, dict):
            _make_answerable(case.body, operation.path)
        reply = case.call(base_url=ADDRESS, timeout=_SLOW_S)
        statuses.append(reply.status_code)
        checks = _CHECKS[1:] if reply.status_code == _TURNED_OFF else _CHECKS
        try:
            case.validate_response(reply, checks=checks)
        except FailureGroup as exc:
            said = f"{exc.exceptions[0]} {reply.text[:200]} {case.as_curl_command()[:2000]}"
            failed.append(f"{reply.status_code} {said}")
            sys.stderr.write(f"{failed[-1]}\n")  # seen at once: all of them take long

    send()
    return statuses, failed


def main() -> None:
    schema = schemathesis.openapi.from_url(f"{ADDRESS}/openapi.json")
    found: dict[str, Any] = {"statuses": {}, "failed": []}
    for result in schema.get_all_operations():
        operation = result.ok()
        if PATHS and operation.path not in PATHS:
            continue
        has_body = operation.definition.raw.get("requestBody") is not None
        for mode in GenerationMode if has_body else (GenerationMode.POSITIVE,):
            statuses, failed = fuzzed(operation, mode)
            found["statuses"][f"{operation.label} {mode.value}"] = sorted(set(statuses))
            found["failed"] += failed
    json.dump(found, sys.stdout)


main()
