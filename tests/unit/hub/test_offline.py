"""Offline, no function of the hub package opens a connection; the list of functions is complete."""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import pkgutil
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import fireside.hub
from fakes.fake_hub import COMMIT, FakeHub
from fakes.hub_harness import BLOCK, FILE, QUICK, REPO, HubHarness
from fireside.core.discovery import ModelQuery
from fireside.core.errors import FiresideError, HubOffline
from fireside.core.hub import DownloadFile, HubFile
from fireside.hub.cancel_token import CancelToken, Stopped
from fireside.hub.discovery import Discovery, read_model_page
from fireside.hub.download_disk import Disk
from fireside.hub.download_plan import make_plan
from fireside.hub.file_repair import CheckedFile, repair_request, start_repair, verify
from fireside.hub.file_transfer import FileTransfer, TransferReport
from fireside.hub.hf_transport import library_request, make_client
from fireside.hub.hub_session import HubSession, read_remote_header
from fireside.hub.model_search import search
from fireside.services.hub import hub_service
from fireside.services.hub.hub_service import check_connection, find_updates

SOURCES = Path(str(fireside.hub.__file__)).parent
WITHOUT_REQUESTS = {
    "Discovery.clear_cache",
    "HubSession.close",
    "HubSession.configure",
    "HubSession.credential_key",
    "HubSession.endpoint",
    "HubSession.has_token",
    "HubSession.host",
    "HubSession.is_own",
    "HubSession.page_of",
}
MAY_CONNECT = {"hub_connection.py", "http_client.py", "hf_transport.py"}
"""These import what opens connections: the door, what makes its client, and a client that cannot."""
CONNECTING = {"httpx2", "httpcore2", "requests", "urllib3", "huggingface_hub", "aiohttp", "http", "ftplib"}

Call = Callable[[HubHarness], object]


class Offline:
    """The offline switch."""

    is_on = True

    def __call__(self) -> bool:
        return self.is_on


def header_of(harness: HubHarness) -> HubFile:
    return HubFile(path=FILE, size_bytes=len(harness.repo.files[FILE]), digest=harness.repo.digest(FILE))


def open_range(harness: HubHarness) -> None:
    location = f"{harness.session.endpoint}/{REPO}/resolve/{COMMIT}/{FILE}"
    with harness.session.open_range(location, begin=0, end=9, size_bytes=len(harness.repo.files[FILE])):
        pass


def run_transfer(harness: HubHarness) -> None:
    """Run a transfer. It waits for the switch, so it is stopped once it reports that."""

    def report(report: TransferReport) -> None:
        if report.note:
            harness.cancel.stop()

    harness.on_report = report
    harness.target.unlink()
    request = DownloadFile(repo=REPO, commit=COMMIT, file=header_of(harness), name=f"{REPO}/{FILE}")
    harness.transfer(request, options=QUICK).run()


def damaged(harness: HubHarness) -> CheckedFile:
    content = bytearray(harness.target.read_bytes())
    content[BLOCK] ^= 1
    harness.target.write_bytes(content)
    return verify(harness.target, disk=Disk(), cancel=CancelToken())


def request_repair(harness: HubHarness) -> None:
    repair_request(harness.target, damaged(harness), session=harness.session, name=f"{REPO}/{FILE}")


def repair(harness: HubHarness) -> None:
    checked = damaged(harness)
    start_repair(harness.target, checked, session=harness.session, disk=Disk(), name=f"{REPO}/{FILE}")


def request_directly(harness: HubHarness) -> None:
    with library_request(harness.session, what=REPO, repo=REPO, clean=lambda answer: answer) as request:
        request.answer(f"{harness.session.endpoint}/api/models/{REPO}")


def request_through_library(harness: HubHarness) -> None:
    with library_request(harness.session, what=REPO, repo=REPO, clean=lambda answer: answer) as request:
        request.api.model_info(REPO)


CALLS: dict[str, Call] = {
    "HubSession.resolve": lambda place: place.session.resolve(REPO, "main"),
    "HubSession.tree": lambda place: place.session.tree(REPO, COMMIT),
    "HubSession.get": lambda place: place.session.get("/api/models", what="models"),
    "HubSession.read_start": lambda place: place.session.read_start(REPO, COMMIT, FILE, max_bytes=9),
    "HubSession.file_metadata": lambda place: place.session.file_metadata(REPO, COMMIT, FILE),
    "HubSession.open_range": open_range,
    "Discovery.search": lambda place: Discovery(place.session, clock=time.monotonic).search(ModelQuery()),
    "Discovery.model": lambda place: Discovery(place.session, clock=time.monotonic).model(REPO),
    "LibraryRequest.answer": request_through_library,
    "FileTransfer.run": run_transfer,
    "library_request": request_directly,
    "read_model_page": lambda place: read_model_page(place.session, REPO),
    "make_plan": lambda place: make_plan(place.session, REPO),
    "check_connection": lambda place: check_connection(place.session),
    "read_remote_header": lambda place: read_remote_header(
        place.session, header_of(place), repo=REPO, commit=COMMIT
    ),
    "search": lambda place: search(place.session, ModelQuery(text="tiny")),
    "find_updates": lambda place: find_updates(
        place.session, {"a": verify(place.target, disk=Disk(), cancel=CancelToken()).origin}
    ),
    "repair_request": request_repair,
    "start_repair": repair,
}


def takes_session(what: object) -> bool:
    try:
        parameters = inspect.signature(what).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    annotations = [str(parameter.annotation) for parameter in parameters]
    return any(kind in annotation for annotation in annotations for kind in ("HubSession", "TransferContext"))


def public(names: object) -> list[str]:
    return [name for name in vars(names) if not name.startswith("_")]


def functions_with_session() -> set[str]:
    """Return all public functions that take a session, and the session's own methods."""
    found = {f"HubSession.{name}" for name in public(HubSession)}
    names = [f"fireside.hub.{info.name}" for info in pkgutil.iter_modules([str(SOURCES)])]
    for module in map(importlib.import_module, (*names, hub_service.__name__)):
        for name in public(module):
            value = getattr(module, name)
            if getattr(value, "__module__", "") != module.__name__ or not takes_session(value):
                continue
            if inspect.isclass(value):
                found |= {f"{name}.{method}" for method in public(value) if callable(getattr(value, method))}
            else:
                found.add(name)
    return found


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every connection and every name look-up that is attempted."""
    seen: list[object] = []
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def recorded_connect(self: socket.socket, address: object) -> None:
        seen.append(address)
        connect(self, address)  # type: ignore[arg-type]

    def recorded_look_up(*arguments: object, **named: object) -> object:
        seen.append(arguments)
        return look_up(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", recorded_connect)
    monkeypatch.setattr(socket, "getaddrinfo", recorded_look_up)
    return seen


@pytest.fixture
def offline(harness: HubHarness, hub: FakeHub) -> Offline:
    """The place with a downloaded file, then switched offline."""
    harness.fetch()
    switch = Offline()
    harness.use(HubSession(endpoint=hub.endpoint, is_offline=switch))
    hub.seen.clear()
    return switch


def test_every_function_that_contacts_the_hub_is_covered() -> None:
    assert set(CALLS) == functions_with_session() - WITHOUT_REQUESTS


@pytest.mark.parametrize("name", CALLS)
def test_offline_every_function_opens_no_connection(
    harness: HubHarness, hub: FakeHub, offline: Offline, attempts: list[object], name: str
) -> None:
    with pytest.raises((HubOffline, Stopped)):
        CALLS[name](harness)
    assert (attempts, hub.seen) == ([], [])


@pytest.mark.parametrize("name", CALLS)
def test_online_the_same_call_contacts_the_hub(
    harness: HubHarness, offline: Offline, attempts: list[object], name: str
) -> None:
    offline.is_on = False
    # That what this hub has or answers is refused is another matter.
    with contextlib.suppress(FiresideError, Stopped):
        CALLS[name](harness)
    assert attempts


def test_the_librarys_own_client_can_open_no_connection(attempts: list[object]) -> None:
    with make_client() as client, pytest.raises(HubOffline):
        client.get("https://example.org/")
    assert attempts == []


def test_no_other_module_can_open_connections() -> None:
    for path in SOURCES.glob("*.py"):
        if path.name not in MAY_CONNECT:
            assert not imported(path) & CONNECTING, path.name


def imported(path: Path) -> set[str]:
    """Return the packages that a module imports at run time; those for annotations do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def test_every_request_checks_the_offline_switch_in_one_function() -> None:
    tree = ast.parse((SOURCES / "hub_connection.py").read_text(encoding="utf-8"))
    senders = [
        function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        and any(isinstance(node, ast.Attribute) and node.attr == "_client" for node in ast.walk(function))
    ]
    assert senders == ["_send_once"]


def test_the_covered_transfer_is_a_file_transfer() -> None:
    assert takes_session(FileTransfer)


def test_a_running_response_ends_when_offline_mode_is_switched_on(hub: FakeHub, harness: HubHarness) -> None:
    offline = Offline()
    offline.is_on = False
    harness.use(HubSession(endpoint=hub.endpoint, is_offline=offline))
    size = len(harness.repo.files[FILE])
    location = harness.session.file_metadata(REPO, harness.repo.commit, FILE).location
    arrived: list[bytes] = []
    with harness.session.open_range(location, begin=0, end=size, size_bytes=size) as body:
        arrived.append(next(iter(body)))
        offline.is_on = True
        with pytest.raises(HubOffline):
            arrived.extend(body)
    assert 0 < len(b"".join(arrived)) < size
