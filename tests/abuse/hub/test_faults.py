"""Several things go wrong with one download, at random places: in the end the file is right, or refused."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from fakes.fake_hub import TOKEN, FakeHub, Fault, Where, fake_hub, gguf_bytes
from fakes.hub_checks import check_arrived, check_asked_anew, check_nothing_left, check_token_stayed
from fakes.hub_harness import BLOCK, FILE, HubHarness
from fireside.core.errors import DownloadError, HubError
from fireside.hub.file_transfer import TransferReport
from fireside.hub.http_client import Timeouts
from fireside.hub.hub_session import HubSession

N_RUNS = 16
MAX_FAULTS = 6
MAX_ATTEMPTS = 30
STATUSES = (401, 403, 404, 408, 416, 429, 500, 502, 503, 504)
CUTS = (Fault.DROP, Fault.RESET, Fault.STALL)
ANSWERS = (Fault.STATUS, Fault.LOGIN_PAGE, Fault.NONSENSE, Fault.ENDLESS_REDIRECT)
SPOILT = (
    Fault.SHORT_BY_ONE,
    Fault.FULL,
    Fault.WRONG_RANGE,
    Fault.RANGE_REFUSED,
    Fault.NO_RANGE_SAID,
    Fault.PACKED,
    Fault.WRONG_BYTES,
)


def plan_faults(hub: FakeHub, rng: random.Random, *, size_bytes: int) -> None:
    for _ in range(rng.randint(1, MAX_FAULTS)):
        where = rng.choice([Where.HEAD, Where.CONTENT, Where.CONTENT, Where.CONTENT])
        kinds = (*ANSWERS, Fault.NO_COMMIT) if where is Where.HEAD else (*CUTS, *CUTS, *ANSWERS, *SPOILT)
        hub.plan(
            rng.choice(kinds),
            where=where,
            after=rng.choice([0, 1, BLOCK - 1, BLOCK, BLOCK + 1, rng.randrange(size_bytes)]),
            status=rng.choice(STATUSES),
            headers={"Retry-After": "0"},
        )


def fetch_in_the_end(harness: HubHarness) -> None:
    """Try again as a user would; only what the hub refuses or what came damaged ends a try."""
    for _ in range(MAX_ATTEMPTS):
        try:
            harness.fetch()
        except (HubError, DownloadError) as exc:
            if exc.code == "download_damaged":
                check_nothing_left(harness)
            said = exc.sentence()
        else:
            return
        assert not said or said.endswith(".")
    raise AssertionError("it never arrived")


@pytest.mark.parametrize("part", range(4))
def test_whatever_goes_wrong_the_file_is_right_in_the_end(
    tmp_path: Path, abuse_scale: int, part: int
) -> None:
    seed = int.from_bytes(os.urandom(4), "little")
    for number in range(N_RUNS // 4 * abuse_scale):
        rng = random.Random(f"{seed}/{number}")
        content = gguf_bytes(rng.randint(1, 12 * BLOCK) + 4, seed=number)
        with fake_hub() as hub:
            hub.is_on_two_hosts = rng.random() < 0.7
            harness = HubHarness(hub, tmp_path / str(number), content=content)
            harness.use(
                HubSession(
                    endpoint=hub.endpoint,
                    token=lambda _: TOKEN,
                    timeouts=Timeouts(connect_s=5.0, read_s=0.25),
                )
            )
            harness.repo.is_gated = rng.random() < 0.5
            changes_at = rng.randrange(len(content)) if rng.random() < 0.3 else None

            def on_report(report: TransferReport) -> None:
                hub.stop_repeating(Fault.ENDLESS_REDIRECT)
                if changes_at is not None and report.n_bytes >= changes_at:  # noqa: B023
                    harness.repo.files[FILE] = content[:-1] + b"!"  # noqa: B023

            harness.on_report = on_report
            plan_faults(hub, rng, size_bytes=len(content))
            try:
                fetch_in_the_end(harness)
                check_arrived(harness, before_change=content)
                check_token_stayed(hub)
                check_asked_anew(hub)
            except AssertionError as exc:
                exc.add_note(f"seed {seed}, run {number}")
                raise
            finally:
                harness.session.close()
