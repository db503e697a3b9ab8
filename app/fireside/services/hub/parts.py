"""What the services of the hub and the library are made of, as the composition root hands it over."""

from __future__ import annotations

from pathlib import Path

import msgspec

from fireside.hub.file_transfer import Options
from fireside.services.hub.hub_access import HubAccess
from fireside.services.machine.host_measurement import ThisComputer


class HubParts(msgspec.Struct, frozen=True, kw_only=True):
    """See ``App``. A file that is ``None`` is another program's: this one only looks on."""

    access: HubAccess
    computer: ThisComputer
    catalogue_file: Path
    queue_file: Path | None
    """Where the queue of downloads is kept; with none nothing of an earlier run is gone on with."""
    move_journal: Path
    transfer_options: Options = Options()
