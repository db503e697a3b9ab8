"""The official client library sends requests only through Fireside's session, with its token and limits."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import huggingface_hub
import pytest

from fakes.fake_hub import TOKEN, FakeHub, Fault, Where
from fireside.core.discovery import ModelQuery
from fireside.core.errors import HubError, HubOffline, HubUnreachable
from fireside.core.library import ModelOrigin
from fireside.hub import hf_transport
from fireside.hub.discovery import read_model_page
from fireside.hub.hub_session import HubSession
from fireside.hub.model_search import search
from fireside.services.hub.hub_service import check_connection, find_updates

GUARDED = "meta/Guarded-70B-GGUF"
ORIGIN = ModelOrigin(repo=GUARDED, commit="b" * 40, path="x", digest="c" * 64, downloaded_at="")

ERRANDS: dict[str, Callable[[HubSession], object]] = {
    "search": lambda session: search(session, ModelQuery(text="a")),
    "next page": lambda session: search(
        session, ModelQuery(), page=f"{session.endpoint}/api/models?filter=gguf&cursor=1"
    ),
    "page": lambda session: read_model_page(session, GUARDED),
    "updates": lambda session: find_updates(session, {"a": ORIGIN}),
    "check_connection": check_connection,
}


@pytest.fixture(params=list(ERRANDS))
def errand(request: pytest.FixtureRequest) -> Callable[[HubSession], object]:
    return ERRANDS[request.param]


def test_offline_no_request_leaves(shelf: FakeHub, errand: Callable[[HubSession], object]) -> None:
    session = HubSession(endpoint=shelf.endpoint, token=lambda _: TOKEN, is_offline=lambda: True)
    with pytest.raises(HubOffline):
        errand(session)
    assert shelf.seen == []


def test_the_token_goes_to_the_hub_alone(
    shelf: FakeHub, with_token: HubSession, errand: Callable[[HubSession], object]
) -> None:
    errand(with_token)
    assert {seen.authorization for seen in shelf.seen if seen.server == "hub"} == {f"Bearer {TOKEN}"}
    assert {seen.authorization for seen in shelf.seen if seen.server == "content"} <= {None}


def test_a_redirect_carries_no_token(
    shelf: FakeHub, with_token: HubSession, errand: Callable[[HubSession], object]
) -> None:
    shelf.plan(Fault.AWAY, where=Where.API)
    with contextlib.suppress(HubError):
        errand(with_token)
    elsewhere = [seen.authorization for seen in shelf.seen if seen.server == "content"]
    assert elsewhere
    assert set(elsewhere) == {None}


def test_the_librarys_own_token_is_not_used(
    shelf: FakeHub,
    session: HubSession,
    errand: Callable[[HubSession], object],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.setenv("HUGGING_FACE_HUB_TOKEN", TOKEN)
    (tmp_path / "token").write_text(TOKEN)
    monkeypatch.setattr(huggingface_hub.constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
    errand(session)
    assert {seen.authorization for seen in shelf.seen} == {None}


def test_no_request_identifies_this_computer(shelf: FakeHub, session: HubSession) -> None:
    search(session, ModelQuery())
    read_model_page(session, "acme/Chatty-8B-GGUF")
    assert {seen.agent.partition("/")[0] for seen in shelf.seen} == {"fireside"}
    assert {seen.encoding for seen in shelf.seen} == {"identity"}


def test_the_library_sends_no_request_by_itself(hub: FakeHub) -> None:
    huggingface_hub.set_client_factory(hf_transport.make_client)
    with pytest.raises(HubOffline):
        huggingface_hub.HfApi(endpoint=hub.endpoint, token=TOKEN).model_info("acme/x")
    with pytest.raises(HubOffline):
        huggingface_hub.HfApi(endpoint=hub.endpoint).whoami(token=TOKEN)
    assert hub.seen == []


def test_a_block_permits_no_writes_to_the_hub(shelf: FakeHub, with_token: HubSession) -> None:
    with (
        hf_transport.library_request(with_token, what="x", clean=lambda answer: answer) as allowed,
        pytest.raises(HubOffline),
    ):
        allowed.api.create_repo("acme/new", token=TOKEN)
    assert shelf.seen == []


@pytest.mark.parametrize(
    "address",
    [
        "{hub}/api/agent-harnesses",
        "{hub}/api/whoami-v2",
        "{hub}/api/models/acme/Chatty-8B-GGUF",
        "{hub}/api/modelsx",
        "{hub}/",
        "{elsewhere}/api/models",
    ],
)
def test_a_block_permits_only_its_own_request(shelf: FakeHub, with_token: HubSession, address: str) -> None:
    address = address.format(hub=shelf.endpoint, elsewhere=shelf.content_endpoint)
    with (
        hf_transport.library_request(with_token, what="x", clean=lambda answer: answer) as allowed,
        pytest.raises(HubUnreachable),
    ):
        huggingface_hub.get_session().get(address)
    assert allowed.api.token is False
    assert shelf.seen == []


def test_a_repository_block_permits_only_its_description(shelf: FakeHub, with_token: HubSession) -> None:
    with (
        hf_transport.library_request(
            with_token, what="x", repo="acme/x", clean=lambda answer: answer
        ) as allowed,
        pytest.raises(HubUnreachable),
    ):
        allowed.api.model_info("acme/Chatty-8B-GGUF", revision="main")
    assert shelf.seen == []


def test_an_address_may_be_written_in_several_ways(shelf: FakeHub) -> None:
    session = HubSession(endpoint=shelf.endpoint.replace("http", "HTTP"))
    assert search(session, ModelQuery(text="chatty")).models
    assert read_model_page(session, "acme/Chatty-8B-GGUF").quants
    session.close()


def test_an_invalid_address_is_reported() -> None:
    session = HubSession(endpoint="nowhere")
    with pytest.raises(HubUnreachable, match="address is invalid"):
        search(session, ModelQuery())


def test_concurrent_sessions_are_independent(
    shelf: FakeHub, session: HubSession, with_token: HubSession
) -> None:
    inside = threading.Barrier(2)
    found: dict[str, object] = {}

    def ask(name: str, through: HubSession) -> None:
        def wait(answer: object) -> object:
            inside.wait(20)
            return answer

        with hf_transport.library_request(through, what="x", clean=wait) as allowed:
            found[name] = {model.id for model in allowed.api.list_models(search="secret")}

    threads = [
        threading.Thread(target=ask, args=("stranger", session)),
        threading.Thread(target=ask, args=("owner", with_token)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"stranger": set(), "owner": {"ada/secret-GGUF"}}


@pytest.mark.parametrize("is_first_page", [True, False])
def test_environment_variables_of_the_library_have_no_effect(
    shelf: FakeHub, tmp_path: Path, is_first_page: bool
) -> None:
    """The library reads them when it is imported, so this needs a process of its own."""
    (tmp_path / "hf").mkdir()
    damaged = tmp_path / "hf" / ".agent_harnesses.json"
    damaged.write_text("[1]")
    page = None if is_first_page else f"{shelf.endpoint}/api/models?filter=gguf&limit=30"
    program = (
        "import sys\n"
        "from fireside.core.discovery import ModelQuery\n"
        "from fireside.hub.model_search import search\n"
        "from fireside.hub.hub_session import HubSession\n"
        "assert 'huggingface_hub' not in sys.modules\n"
        f"session = HubSession(endpoint={shelf.endpoint!r})\n"
        f"print(len(search(session, ModelQuery(), page={page!r}).models))\n"
    )
    strange = {
        "HF_ENDPOINT": shelf.endpoint,
        "HF_HOME": str(tmp_path / "hf"),
        "HF_HUB_OFFLINE": "" if is_first_page else "1",
        "HF_TOKEN": TOKEN,
        "HF_DEBUG": "1",
        "HF_HUB_DISABLE_IMPLICIT_TOKEN": "0",
        "HF_HUB_DISABLE_TELEMETRY": "0",
        "HTTP_PROXY": "",
    }
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **strange, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.split() == ["4"], done.stderr
    assert [seen.authorization for seen in shelf.seen] == [None], "more was asked than the search"
    assert list((tmp_path / "hf").iterdir()) == [damaged]


def test_the_library_is_not_imported_without_a_request() -> None:
    program = (
        "import sys\n"
        "import fireside.hub.model_search, fireside.hub.discovery, fireside.hub.discovery\n"
        "import fireside.services.hub.hub_service\n"
        "import fireside.services.hub.hub_service, fireside.hub.catalogue\n"
        "slow = {'huggingface_hub', 'httpx2', 'yaml'} & sys.modules.keys()\n"
        "print(sorted(slow))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.strip() == "[]"
