"""An update is offered until it is installed."""

from __future__ import annotations

import msgspec
import pytest

from fakes.library_models import newer_qwen, qwen
from fireside.ui.library.check_results import CheckResults


@pytest.fixture
def findings() -> CheckResults:
    results = CheckResults()
    results.set_updates([newer_qwen()])
    return results


def test_an_update_that_was_fetched_is_offered_no_more(findings: CheckResults) -> None:
    findings.retain_only([qwen()])
    assert findings.update(newer_qwen().path) == newer_qwen()
    origin = qwen().origin
    assert origin is not None
    updated = msgspec.structs.replace(qwen(), origin=msgspec.structs.replace(origin, digest="e" * 64))
    findings.retain_only([updated])
    assert findings.update(newer_qwen().path) is None


def test_an_update_of_what_is_gone_is_forgotten(findings: CheckResults) -> None:
    findings.retain_only([])
    assert findings.updates == ()
