"""The keyring is asked for the token as rarely as possible; the token is never revealed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import keyring.errors
import pytest

from fakes.keyrings import LosingKeyring, RaisingKeyring, WorkingKeyring
from fakes.raised import refuses
from fireside.core.errors import KeyringLocked
from fireside.core.secret_location import SecretLocation
from fireside.services.hub_access import RETRY_S, HubToken
from fireside.settings.redaction import Redaction
from fireside.settings.secrets import SecretFile, Secrets, hub_token_name

TOKEN = "hf_something"


class Holder:
    """A token behind one keyring, and a clock."""

    def __init__(self, backend: WorkingKeyring, folder: Path, **environ: str) -> None:
        self.now = 0.0
        secrets = Secrets(
            file=SecretFile(folder / "secrets"),
            environ=environ,
            redaction=Redaction(),
            find_backend=lambda: backend,
        )
        self.token = HubToken(secrets, clock=lambda: self.now)


async def test_the_keyring_is_asked_once(tmp_path: Path) -> None:
    backend = WorkingKeyring()
    token = Holder(backend, tmp_path).token
    assert await token.store(TOKEN, location=SecretLocation.KEYRING) is SecretLocation.KEYRING
    other = Holder(backend, tmp_path)
    backend.n_calls = 0
    for _ in range(3):
        other.now += 1000.0
        await other.token.load()
    assert backend.n_calls == 1
    assert other.token("") == TOKEN


async def test_a_missing_token_is_cached_too(tmp_path: Path) -> None:
    backend = WorkingKeyring()
    holder = Holder(backend, tmp_path)
    await holder.token.load()
    await holder.token.load()
    assert backend.n_calls == 1
    assert holder.token("") is None


async def test_a_locked_keyring_is_retried_only_after_a_while(
    tmp_path: Path,
) -> None:
    backend = RaisingKeyring(keyring.errors.KeyringLocked())
    n_calls = 0
    real = backend.get_password

    def counted(service: str, username: str, /) -> str | None:
        nonlocal n_calls
        n_calls += 1
        return real(service, username)

    backend.get_password = counted  # type: ignore[method-assign]
    holder = Holder(backend, tmp_path)
    await holder.token.load()
    holder.now = RETRY_S - 1
    await holder.token.load()
    assert n_calls == 1
    holder.now = RETRY_S
    await holder.token.load()
    assert n_calls == 2
    with pytest.raises(KeyringLocked):
        await holder.token.location()


async def test_a_keyring_that_loses_secrets_is_not_trusted(tmp_path: Path) -> None:
    holder = Holder(LosingKeyring(), tmp_path)
    with refuses("keyring_refused"):
        await holder.token.store(TOKEN, location=SecretLocation.KEYRING)
    assert holder.token("") is None


async def test_after_deleting_the_token_of_the_environment_is_used(tmp_path: Path) -> None:
    holder = Holder(WorkingKeyring(), tmp_path, HF_TOKEN="hf_outside")
    await holder.token.store(TOKEN, location=SecretLocation.KEYRING)
    assert holder.token("") == TOKEN
    await holder.token.forget()
    assert holder.token("") is None
    assert await holder.token.location() is SecretLocation.ENVIRONMENT
    assert holder.token("") == "hf_outside"


MIRROR = "https://mirror.example"


async def test_a_token_goes_only_to_the_address_that_it_was_saved_for(tmp_path: Path) -> None:
    token = Holder(WorkingKeyring(), tmp_path).token
    await token.store(TOKEN)
    token.bind(hub_token_name(MIRROR), endpoint=MIRROR)
    assert token(MIRROR) is None
    assert await token.location() is SecretLocation.NONE
    await token.store("hf_of_the_mirror")
    assert (token(MIRROR), token("")) == ("hf_of_the_mirror", None)
    token.bind(hub_token_name(""), endpoint="")
    await token.load()
    assert (token(MIRROR), token("")) == (None, TOKEN)


async def test_a_late_keyring_answer_for_another_address_is_dropped(
    tmp_path: Path,
) -> None:
    backend = WorkingKeyring()
    token = Holder(backend, tmp_path).token
    await token.store(TOKEN)
    token.bind(hub_token_name(MIRROR), endpoint=MIRROR)
    token.bind(hub_token_name(""), endpoint="")
    looking = asyncio.create_task(token.load())
    await asyncio.sleep(0)
    token.bind(hub_token_name(MIRROR), endpoint=MIRROR)
    await looking
    assert token(MIRROR) is None


async def test_a_late_keyring_error_for_another_address_delays_no_token(tmp_path: Path) -> None:
    holder = Holder(
        RaisingKeyring(keyring.errors.KeyringLocked()), tmp_path, HF_TOKEN="hf_outside", HF_ENDPOINT=MIRROR
    )
    loading = asyncio.create_task(holder.token.load())
    await asyncio.sleep(0)
    holder.token.bind(hub_token_name(MIRROR), endpoint=MIRROR)
    await loading
    assert holder.token(MIRROR) == "hf_outside"


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("", "hub-token"),
        ("https://huggingface.co", "hub-token"),
        ("https://HuggingFace.co:443/", "hub-token"),
        ("http://huggingface.co", "hub-token@http://huggingface.co:80"),
        ("https://ada:secret@mirror.example/hub", "hub-token@https://mirror.example:443"),
    ],
)
def test_each_origin_has_a_token_of_its_own(address: str, name: str) -> None:
    assert hub_token_name(address) == name


@pytest.mark.parametrize(("endpoint", "found"), [("", None), (MIRROR, "hf_outside"), ("http://[", None)])
async def test_the_token_of_the_environment_is_for_the_address_there(
    tmp_path: Path, endpoint: str, found: str | None
) -> None:
    token = Holder(WorkingKeyring(), tmp_path, HF_TOKEN="hf_outside", HF_ENDPOINT=endpoint).token
    token.bind(hub_token_name(MIRROR), endpoint=MIRROR)
    await token.load()
    assert token(MIRROR) == found


async def test_a_suspended_token_is_not_sent_until_another_is_stored(tmp_path: Path) -> None:
    token = Holder(WorkingKeyring(), tmp_path).token
    await token.store(TOKEN)
    await token.suspend()
    await token.location()
    assert token("") is None
    await token.store("hf_new")
    assert token("") == "hf_new"
