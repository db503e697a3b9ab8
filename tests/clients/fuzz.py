"""Send what the API's own document allows, and what it does not, and print as JSON what failed.

Runs in a process of its own: ``fuzz.py ADDRESS N_EXAMPLES``.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from schemathesis import GenerationMode

ADDRESS, N_EXAMPLES = sys.argv[1], int(sys.argv[2])
_SLOW_S = 120
_DEFECT = 500


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
            case.body.pop("model", None)  # else hardly any would be of a model that there is
        reply = case.call(base_url=ADDRESS, timeout=_SLOW_S)
        statuses.append(reply.status_code)
        if reply.status_code == _DEFECT or (reply.status_code >= 400 and "error" not in reply.json()):
            failed.append(f"{reply.status_code} {reply.text[:200]} {case.as_curl_command()[:2000]}")

    send()
    return statuses, failed


def main() -> None:
    schema = schemathesis.openapi.from_url(f"{ADDRESS}/openapi.json")
    found: dict[str, Any] = {"statuses": {}, "failed": []}
    for result in schema.get_all_operations():
        operation = result.ok()
        has_body = operation.definition.raw.get("requestBody") is not None
        for mode in GenerationMode if has_body else (GenerationMode.POSITIVE,):
            statuses, failed = fuzzed(operation, mode)
            found["statuses"][f"{operation.label} {mode.value}"] = sorted(set(statuses))
            found["failed"] += failed
    json.dump(found, sys.stdout)


main()
