"""Other devices of the network: paired, served, revoked, and kept out; over TLS on loopback."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from fakes.api_harness import Answer, ApiHarness, api_harness, parsed, until
from fakes.engine import Script, finished
from fakes.engines_harness import EnginesHarness, engines_harness, failed, said
from fakes.engines_harness import finished as ended
from fireside.api.certificate import DeviceCertificate
from fireside.api.device_gate import MAX_FAILURES, MAX_OPEN, MAX_OPEN_EACH
from fireside.api.devices import DeviceOptions, network_addresses
from fireside.api.options import ApiOptions
from fireside.core.errors import RemoteUntrusted
from fireside.core.generation import TextDelta
from fireside.core.ids import RequestId
from fireside.core.local_api import DeviceAddress
from fireside.core.remote import ServerKind
from fireside.settings.api_tokens import USUAL_SCOPES

HERE = (DeviceAddress(interface="lo", address="127.0.0.1"),)
MODELS = "/v1/models"


class Place(ApiHarness):
    """A server with devices, and another Fireside."""

    far: EnginesHarness

    @property
    def device_port(self) -> int:
        return self.server.devices().port

    @property
    def url(self) -> str:
        return self.server.devices().address

    def pair(self, name: str = "phone") -> str:
        return self.tokens.add(name, USUAL_SCOPES, is_device=True).reveal()

    async def add(self) -> str:
        """Pair the other Fireside; return the id of its token."""
        devices = self.server.devices()
        result = await self.far.add(devices.address, key=self.pair("desk"), fingerprint=devices.fingerprint)
        assert result.kind is ServerKind.FIRESIDE
        return self.tokens.devices()[-1].id

    async def get(self, token: str, *, source: str = "127.0.0.1", path: str = MODELS) -> Answer:
        """Ask as an app that trusts the certificate, from another address of loopback."""
        context = ssl.create_default_context(cadata=self.server.device_pem)
        try:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", self.device_port, ssl=context, local_addr=(source, 0)
            )
        except (ConnectionError, ssl.SSLError):
            return Answer(0, {}, b"")
        lines = (f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{self.device_port}", "Connection: close")
        writer.write("\r\n".join((*lines, f"Authorization: Bearer {token}", "", "")).encode())
        try:
            return parsed(await reader.read())
        except ConnectionError:
            return Answer(0, {}, b"")
        finally:
            writer.close()


@asynccontextmanager
async def serving(
    folder: Path,
    starter: Path,
    *,
    script: Script | None = None,
    find: Callable[[], tuple[DeviceAddress, ...]] = lambda: HERE,
    port: int = 0,
    options: ApiOptions | None = None,
) -> AsyncIterator[Place]:
    devices = DeviceOptions(
        port=port,
        folder=folder / "devices",
        host_name="Desk",
        find_addresses=find,
        announces=False,
        look_s=0.02,
    )
    place = api_harness(
        folder, starter=starter, script=script, devices=devices, options=options or ApiOptions()
    )
    async with place as harness, engines_harness(folder) as far:
        harness.__class__ = Place
        assert isinstance(harness, Place)
        harness.far = far
        yield harness


def slowly(_: object) -> list[object]:
    return [TextDelta(text="One ", n_completion=1), None, TextDelta(text="two", n_completion=2), finished()]


async def test_another_fireside_is_paired_and_answered(tmp_path: Path, starter_model_path: Path) -> None:
    async with serving(tmp_path, starter_model_path) as place:
        await place.add()
        events = await place.far.ask()
        ended(events)
        assert said(events) == "Hi"
        (device,) = place.tokens.devices()
        assert (device.name, device.seen_from) == ("desk", "127.0.0.1")
        await place.server.stop()
        assert place.tokens.all()[0].seen_at == device.seen_at  # in the file


@pytest.mark.parametrize("by_another_process", [False, True])
async def test_a_revoked_device_is_cut_off_in_the_middle_of_an_answer(
    tmp_path: Path, starter_model_path: Path, by_another_process: bool
) -> None:
    async with serving(tmp_path, starter_model_path, script=slowly) as place:  # type: ignore[arg-type]
        token_id = await place.add()
        kept = place.pair("kept")

        def revoke(number: RequestId, event: object) -> None:
            del number
            if isinstance(event, TextDelta):
                place.tokens.revoke(token_id)
                if not by_another_process:
                    running.append(asyncio.ensure_future(place.server.end_client(token_id)))

        running: list[asyncio.Future[None]] = []
        await asyncio.sleep(0.05)  # it has looked at the tokens once
        events = await place.far.ask(on_event=revoke)
        assert said(events) == "One "
        assert "revoked" in failed(events).error.sentence
        assert not place.server.calls()
        assert failed(await place.far.ask()).error.code == "remote_key_refused"
        assert (await place.get(kept)).status == 200
        await asyncio.gather(*running)


async def test_who_is_let_in(tmp_path: Path, starter_model_path: Path) -> None:
    async with serving(tmp_path, starter_model_path) as place:
        device, program = place.pair(), place.tokens.add("editor", USUAL_SCOPES).reveal()
        assert (await place.get(device)).status == 200
        assert (await place.get(device, path="/health")).status == 200
        assert [(await place.get(token)).status for token in (program, "fs-wrong", "")] == [401] * 3
        reader, writer = await asyncio.open_connection("127.0.0.1", place.device_port)
        writer.write(b"GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert b"HTTP" not in await reader.read()  # nothing is said without TLS
        writer.close()


async def test_a_changed_certificate_is_refused_in_words_and_gets_no_token(
    tmp_path: Path, starter_model_path: Path
) -> None:
    async with serving(tmp_path, starter_model_path) as place:
        await place.add()
        real_pem, port = place.server.device_pem, place.device_port
    heard: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(100))
        writer.close()

    impostor = DeviceCertificate(tmp_path / "impostor", host_name="Desk")
    for sends_real_authority in (False, True):
        context = impostor.make_context()
        impostor.sign_for(["127.0.0.1"], context)
        if sends_real_authority:  # behind its own certificate, which that one did not sign
            key_and_own = impostor._sign(["127.0.0.1"]).decode().split("-----BEGIN CERTIFICATE")
            file = tmp_path / "chain.pem"
            file.write_text("-----BEGIN CERTIFICATE".join(key_and_own[:2]) + real_pem)
            context = impostor.make_context()
            context.load_cert_chain(file)
        server = await asyncio.start_server(listen, "127.0.0.1", port, ssl=context)
        async with server, engines_harness(tmp_path) as far:
            await far.service.start()
            (engine,) = await far.service.engines()
            with pytest.raises(RemoteUntrusted, match="not the pinned one, so nothing was sent"):
                await far.service.test(engine.id)
            error = failed(await far.ask()).error
            assert (error.code, error.retryable) == ("remote_untrusted", False)
    assert not any(heard)


async def test_addresses_are_followed_and_the_pin_stays(tmp_path: Path, starter_model_path: Path) -> None:
    addresses: list[tuple[DeviceAddress, ...]] = [HERE]
    async with serving(tmp_path, starter_model_path, find=lambda: addresses[0]) as place:
        await place.add()
        pinned = place.server.devices().fingerprint
        addresses[0] = ()
        await until(lambda: not place.server.devices().addresses)
        assert (await place.get("")).status == 0
        addresses[0] = (DeviceAddress(interface="lo", address="::1"),)
        await until(lambda: place.server.devices().addresses)
        (engine,) = await place.far.service.engines()
        place.far.file.write((replace(engine, address=place.url),))
        later = place.far.another()
        await later.start()
        assert (await later.test(engine.id)).kind is ServerKind.FIRESIDE
        assert place.server.devices().fingerprint == pinned
        await later.close()


async def test_a_port_in_use_is_said_and_harms_nothing_else(tmp_path: Path, starter_model_path: Path) -> None:
    other = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = other.sockets[0].getsockname()[1]
    async with other, serving(tmp_path, starter_model_path, port=port) as place:
        devices = place.server.devices()
        assert devices.problem is not None
        assert f"Port {port} is in use" in devices.problem.sentence
        assert not devices.addresses
        assert (await place.ask("/health")).status == 200
        other.close()
        await until(lambda: place.server.devices().problem is None)
        assert (await place.get(place.pair())).status == 200


async def test_a_scanner_shuts_itself_out_and_nobody_else(tmp_path: Path, starter_model_path: Path) -> None:
    async with serving(tmp_path, starter_model_path) as place:
        token = place.pair()
        statuses = [(await place.get("guess")).status for _ in range(MAX_FAILURES + 2)]
        assert statuses == [401] * MAX_FAILURES + [0, 0]
        assert (await place.get(token)).status == 0
        assert (await place.get(token, source="127.0.0.2")).status == 200


async def test_silent_connections_are_bounded(tmp_path: Path, starter_model_path: Path) -> None:
    async with serving(tmp_path, starter_model_path) as place:
        token, silent = place.pair(), []
        for _ in range(MAX_OPEN_EACH * 2):
            silent.append(await asyncio.open_connection("127.0.0.1", place.device_port))
        await until(lambda: place.server._gate.n_open == MAX_OPEN_EACH)
        assert (await place.get(token, source="127.0.0.2")).status == 200
        for _, writer in silent:
            writer.close()
        await until(lambda: not place.server._gate.n_open)
        assert MAX_OPEN > MAX_OPEN_EACH


@pytest.mark.allow_hosts(["192.0.2.1"])  # of a datagram socket, which sends nothing by that
def test_only_local_addresses_are_offered() -> None:
    assert all(not each.address.startswith(("127.", "fe80")) for each in network_addresses())
