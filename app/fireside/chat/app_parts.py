"""What the composition root hands to ``App``."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from fireside.chat.presets import RuleChecker
from fireside.chat.stream_writer import NextFrame, sixtieth
from fireside.core.errors import ErrorInfo
from fireside.core.events import AppEvent
from fireside.core.problems import Problems
from fireside.engine.devices.card_sources import DeviceMemory
from fireside.engine.planning.planner import Planner
from fireside.engine.sharing.shared_engine import SharedEngine
from fireside.library.library import Library
from fireside.services.about_service import AboutParts
from fireside.services.collections.file_reading import ReadFiles
from fireside.services.collections.page_renderer import RenderPage
from fireside.services.engines import EngineParts
from fireside.services.hub.hub_service import HubParts
from fireside.services.library.model_detail import RenderExample
from fireside.services.local_api import LocalApiParts
from fireside.services.machine.runtime_service import RuntimeParts
from fireside.services.machine.tuning_service import TuningParts
from fireside.services.tool_servers.server_service import ToolServerParts
from fireside.services.transfer.backups import BackupLocation
from fireside.services.web_access import WebParts
from fireside.settings.service import Settings
from fireside.storage.store import MEMORY, Store
from fireside.wire.cache_files import SavedStatePurge
from fireside.wire.runner_modes import DeviceListing


class AppParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the composition root builds ``App`` from."""

    store: Store
    engine: SharedEngine
    library: Library
    settings: Settings
    emit: Callable[[AppEvent], None]
    """Reports to the window."""
    next_frame: NextFrame = sixtieth
    """Returns when the window shows the next frame."""
    planner: Planner
    states: SavedStatePurge
    hub: HubParts
    runtimes: RuntimeParts
    tuning: TuningParts
    list_devices: Callable[[], DeviceListing]
    device_memory: DeviceMemory
    show_template: RenderExample
    read_files: ReadFiles
    render_page: RenderPage
    collections_file: str = MEMORY
    """Path of the database of document collections, which is separate from that of chats."""
    check_rule: RuleChecker
    problems: Problems = msgspec.field(default_factory=Problems)
    """Damaged files that were found before; what is found later is added."""
    clock: Callable[[], float] = time.monotonic
    """Seconds; for durations."""
    now: Callable[[], float] = time.time
    """Seconds since the epoch, UTC."""
    problem: ErrorInfo | None = None
    """Why the database could not be opened; conversations are held in memory then."""
    about: AboutParts
    engines: EngineParts | None = None
    """``None`` where no remote engine may be used: in the terminal, and in ``fireside serve``."""
    local_api: LocalApiParts | None = None
    """``None`` where there is no local API."""
    backup_location: BackupLocation | None = None
    """``None`` where no backups are made."""
    tool_servers: ToolServerParts | None = None
    """``None`` where there are no MCP servers."""
    web: WebParts | None = None
    """``None`` where no tool reaches the web."""
