"""What the services of one running program share."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from fireside.core.events import AppEvent
from fireside.core.ids import RequestId
from fireside.engine.sharing.shared_engine import SharedEngine
from fireside.services.answer_router import AnswerRouter
from fireside.services.collections.file_reading import ReadFiles
from fireside.services.downloads.download_scheduler import DownloadScheduler
from fireside.services.engines import EngineService
from fireside.services.library.model_service import ModelService
from fireside.services.preferences import Preferences
from fireside.services.python_sessions import PythonSessions
from fireside.services.skills.skill_service import SkillService
from fireside.services.speech.speech_service import SpeechService
from fireside.services.tool_servers.server_service import ToolServerService
from fireside.services.web_access import WebAccess
from fireside.storage.store import Store


class ServiceContext(msgspec.Struct, frozen=True, kw_only=True):
    """Shared by services that store, ask a model and report events. For the engine's loop."""

    store: Store
    engine: SharedEngine
    """The local engine: for everything except answers."""
    answer_router: AnswerRouter
    models: ModelService
    engines: EngineService
    preferences: Preferences
    downloads: DownloadScheduler
    tool_servers: ToolServerService
    skills: SkillService
    web: WebAccess
    speech: SpeechService
    read_files: ReadFiles
    python: PythonSessions
    emit: Callable[[AppEvent], None]
    """Emits an event to the window, and to the services that listen."""
    next_id: Callable[[], RequestId]
    """Returns a unique request id."""
