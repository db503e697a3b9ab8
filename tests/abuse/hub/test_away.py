"""The network goes and comes back, the computer sleeps, its clock jumps: the download goes on by itself."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest

from fakes.fake_hub import FakeHub, Fault, Repo, fake_hub, gguf_bytes
from fakes.hub_checks import check_arrived, check_asked_anew
from fakes.hub_harness import BLOCK, FILE, QUICK, REPO, HubHarness
from fakes.relay import Relay, relay
from fireside.core.hub import DownloadState
from fireside.hub.cancel_token import CancelToken
from fireside.hub.file_transfer import FileTransfer, TransferContext, TransferReport
from fireside.hub.http_client import Timeouts
from fireside.hub.hub_session import HubSession
from fireside.hub.rate_limiter import RateLimiter

CONTENT = gguf_bytes(12 * BLOCK + 77)
N_CUTS = 5


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with fake_hub() as hub:
        hub.is_on_two_hosts = False
        yield hub


@pytest.fixture
def network(hub: FakeHub) -> Iterator[Relay]:
    port = urlsplit(hub.endpoint).port
    assert port is not None
    with relay(port=port) as made:
        yield made


@pytest.fixture
def harness(hub: FakeHub, network: Relay, tmp_path: Path) -> Iterator[HubHarness]:
    harness = HubHarness(hub, tmp_path / "models", content=CONTENT)
    harness.use(HubSession(endpoint=network.address, timeouts=Timeouts(connect_s=5.0, read_s=5.0)))
    yield harness
    harness.session.close()


def test_a_network_that_goes_and_comes_back_is_waited_for(
    harness: HubHarness, hub: FakeHub, network: Relay, abuse_scale: int
) -> None:
    cuts = [2 * (number + 1) * BLOCK for number in range(N_CUTS)]
    is_cut = False
    n_refused = 0

    def on_report(report: TransferReport) -> None:
        nonlocal is_cut, n_refused
        if not is_cut and cuts and report.n_bytes >= cuts[0]:
            cuts.pop(0)
            is_cut = True
            network.cut()
        elif is_cut and report.state is DownloadState.WAITING_FOR_NETWORK:
            n_refused += 1
            if n_refused % 3 == 0:  # It stays away for some attempts.
                is_cut = False
                network.mend()

    harness.on_report = on_report
    # What the system has received is read also after the cut; so each connection carries little.
    harness.fetch(options=msgspec.structs.replace(QUICK, range_bytes=2 * BLOCK))
    assert (cuts, n_refused) == ([], 3 * N_CUTS)
    check_arrived(harness)
    check_asked_anew(hub)


def test_a_network_that_is_away_is_said_to_be_away(harness: HubHarness, network: Relay) -> None:
    (request,) = harness.download_files()
    network.cut()

    def on_report(report: TransferReport) -> None:
        if report.state is DownloadState.WAITING_FOR_NETWORK:
            harness.on_report = lambda _: None
            network.mend()

    harness.on_report = on_report
    harness.transfer(request).run()
    (note,) = {report.note for report in harness.reports if report.state is DownloadState.WAITING_FOR_NETWORK}
    assert "127.0.0.1" in note
    check_arrived(harness)


@pytest.mark.parametrize("jump_s", [-10 * 365 * 86_400.0, -3600.0, 3600.0, 10 * 365 * 86_400.0])
def test_a_clock_that_jumps_neither_stops_a_download_nor_lets_it_loose(
    harness: HubHarness, jump_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The day's time jumps; what is measured counts on, so the limit of speed holds."""
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + jump_s)
    (request,) = harness.download_files()
    started_s = time.monotonic()
    limit = 4 * len(CONTENT)
    FileTransfer(
        TransferContext(
            session=harness.session,
            disk=harness.disk,
            limiter=RateLimiter(limit=lambda: limit, clock=time.monotonic),
            options=QUICK,
        ),
        folder=harness.folder,
        requested=request,
        cancel=CancelToken(),
        report=lambda _: None,
    ).run()
    assert 0.0 < time.monotonic() - started_s < 20.0
    check_arrived(harness)


def test_a_computer_that_slept_goes_on_with_a_new_connection(tmp_path: Path, hub: FakeHub) -> None:
    if sys.platform == "win32":
        pytest.skip("puts a program to sleep by a signal")
    hub.repos[REPO] = Repo(files={FILE: CONTENT})
    hub.plan(Fault.STALL, after=3 * BLOCK + 5)
    folder = tmp_path / "models"
    with subprocess.Popen(
        [sys.executable, "-m", "fakes.hub_fetcher", hub.endpoint, str(folder), str(tmp_path / "arrived")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    ) as program:
        assert program.stdin
        assert program.stdout
        program.stdin.write("again\n")
        child = int(program.stdout.readline())
        assert hub.stalled.wait(20)
        os.kill(child, signal.SIGSTOP)
        hub.release()  # The server gives up on it meanwhile.
        os.kill(child, signal.SIGCONT)
        assert int(program.stdout.readline()) == 0
        program.stdin.close()
        program.wait(10)
    assert (folder / REPO / FILE).read_bytes() == CONTENT
    assert [seen.method for seen in hub.seen if "/resolve/" in seen.path][:4] == [
        "HEAD",
        "GET",
        "HEAD",
        "GET",
    ]


def test_a_port_that_was_cut_takes_connections_again(network: Relay) -> None:
    network.cut()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", network.port))
    network.mend()
    socket.create_connection(("127.0.0.1", network.port)).close()
