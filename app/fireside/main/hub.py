"""Build what asks the hub and fetches from it."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

from fireside.chat.downloads import Downloads
from fireside.core.errors import SecretsError
from fireside.core.hub import Download, DownloadEvent, FileOrigin, WantedFile
from fireside.hub.control import Control
from fireside.hub.disk import Disk
from fireside.hub.pace import Pace
from fireside.hub.queue_file import QueueFile
from fireside.hub.session import PUBLIC_HUB, HubSession
from fireside.hub.transfer import Options, Report, Transfer
from fireside.main.build import Ground
from fireside.settings.redaction import Redaction
from fireside.settings.secret import Secret
from fireside.settings.secret_file import SecretFile
from fireside.settings.secrets import HUB_TOKEN, Asked, Secrets
from fireside.settings.typed_hub import HubOptions, hub_options


class Token:
    """The access token to the hub, looked for when something is about to be asked. Any thread may read it."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._found: Secret | None = None

    def __call__(self) -> str | None:
        return None if self._found is None else self._found.reveal()

    async def look(self) -> None:
        """Ask the keyring. Without it most models can be fetched all the same."""
        try:
            found = await self._secrets.find(HUB_TOKEN, asked=Asked.CLICK)
        except SecretsError:
            return
        self._found = None if found is None else found.secret


def build_token(ground: Ground, *, redaction: Redaction) -> Token:
    """Return what finds the token where the person keeps it."""
    file = SecretFile(ground.paths.secrets_file)
    return Token(Secrets(file=file, environ=os.environ, redaction=redaction))


def build_session(ground: Ground, *, token: Callable[[], str | None]) -> HubSession:
    """Return the door to the hub, with the settings in force. Raises ``SettingInvalid``."""
    options = _options(ground)
    return HubSession(
        endpoint=options.endpoint or PUBLIC_HUB,
        token=token,
        is_offline=lambda: _options(ground).is_offline,
        proxy=options.proxy,
        ca_file=options.ca_file,
    )


class Transfers:
    """Makes and runs transfers with everything that they share. ``__call__`` blocks; any thread."""

    def __init__(self, ground: Ground, *, session: HubSession, options: Options | None = None) -> None:
        self._session = session
        self._disk = Disk()
        self._pace = Pace(limit=lambda: _options(ground).bytes_per_s, clock=time.monotonic)
        self._options = Options() if options is None else options
        self._folder = ground.paths.models_folder

    def __call__(
        self,
        wanted: WantedFile,
        /,
        *,
        control: Control,
        report: Callable[[Report], None],
        folder: Path | None = None,
    ) -> FileOrigin:
        """Fetch one file into ``folder``, the library's if none is given."""
        return Transfer(
            session=self._session,
            disk=self._disk,
            folder=self._folder if folder is None else folder,
            wanted=wanted,
            control=control,
            pace=self._pace,
            report=report,
            now=_now,
            options=self._options,
        ).run()


def build_downloads(
    ground: Ground,
    *,
    session: HubSession,
    token: Token,
    emit: Callable[[DownloadEvent], None],
    on_done: Callable[[Download], Awaitable[None]],
    queue_file: Path | None,
) -> Downloads:
    """Return the queue. With no ``queue_file`` it is this run's alone."""
    disk = Disk()
    return Downloads(
        session=session,
        transfer=Transfers(ground, session=session),
        folder=ground.paths.models_folder,
        disk=disk,
        emit=emit,
        n_at_once=lambda: _options(ground).n_at_once,
        clock=time.monotonic,
        on_done=on_done,
        before_asking=token.look,
        queue_file=None if queue_file is None else QueueFile(queue_file, disk=disk),
    )


def _options(ground: Ground) -> HubOptions:
    return hub_options(ground.settings.resolved())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
