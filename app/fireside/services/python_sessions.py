"""The Python of chats: a confined process for each chat that runs code, kept until it is idle.

The process is started like an MCP server, by ``tool_host``'s launcher, but stricter: one process without
network, whose folder is in memory and whose files come and go over its pipes, so nothing of a chat is on the
disk where the system has namespaces.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import secrets
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.elicitation import CallObserver
from fireside.core.errors import ToolServerError, ToolServerInvalid, format_bytes
from fireside.core.i18n import render, tr
from fireside.core.ids import ConversationId
from fireside.core.message import MadeFile
from fireside.core.os_errors import render_os_error
from fireside.core.tool_servers import Sandbox, ToolOutput
from fireside.services.collections.file_reading import ReadFiles

if TYPE_CHECKING:
    from fireside.tool_host.host_messages import StdioLaunch
    from fireside.tool_host.server_process import ServerProcess

SCRATCH_BYTES: Final = 256 << 20
"""Of all files of a session."""
MAX_MADE_BYTES: Final = 8_000_000
"""Of the files that a call hands over."""
MAX_PUT_BYTES: Final = 16_000_000
"""Of the files of a chat that a session is given; those that do not fit are named."""
MAX_OUTPUT_CHARS: Final = 200_000
_FLOOD_BYTES: Final = 50_000_000
"""Of output, most of which was not kept, after which a call is stopped."""
_MAX_SESSIONS: Final = 4
IDLE_S: Final = 600.0
_INTERRUPT_S: Final = 2.0
"""For code to end by an interrupt, before its process is ended."""
_STARTING_S: Final = 20.0
_PACKAGES_NOTE: Final = (
    "[The user can download NumPy, pandas, matplotlib and openpyxl: Settings, Tools, Data packages.]"
)
_SCRIPT: Final = Path(__file__).resolve().parents[1] / "tool_host" / "python_session.py"


class CodeLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What a call may take, and with which Python it runs."""

    program: str = ""
    """The interpreter; empty for the one that this program runs on."""
    seconds: float = 60.0
    memory_bytes: int = 2 << 30


class ChatFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a chat that code finds in its folder."""

    name: str
    data: bytes


class _Reply(msgspec.Struct, kw_only=True):
    """What a session says of a call, see ``tool_host/python_session.py``. It may be anything."""

    is_error: bool
    memory_bytes: int = 0
    files: list[tuple[str, str]] = []
    pictures: list[str] = []
    left_out: list[str] = []


async def _no_packages() -> str:
    return ""


class PythonSessions:
    """All methods on the engine's loop."""

    def __init__(
        self,
        *,
        environ: Mapping[str, str],
        read: ReadFiles,
        packages: Callable[[], Awaitable[str]] = _no_packages,
        idle_s: float = IDLE_S,
    ) -> None:
        """``read`` reads pictures in a process of their own; ``packages`` returns the folder of those that
        Fireside's own Python has, or an empty text; a session ends ``idle_s`` after a call."""
        self._environ = environ
        self._read = read
        self._packages = packages
        self._idle_s = idle_s
        self._sessions: dict[ConversationId, _Session] = {}
        self._sandboxes: dict[str, Sandbox] = {}
        self._ending: set[asyncio.Task[None]] = set()

    async def sandbox(self, limits: CodeLimits) -> Sandbox:
        """Return what confines code on this system; found out once for each interpreter."""
        if sys.platform != "linux":
            return Sandbox.NONE
        if limits.program not in self._sandboxes:
            try:
                session = await self._start(limits, accepted=Sandbox.NO_NAMESPACES)
            except ToolServerError:
                return Sandbox.NONE  # and a call says why it cannot run
            self._sandboxes[limits.program] = session.sandbox
            await session.end()
        return self._sandboxes[limits.program]

    async def run(
        self,
        conversation_id: ConversationId,
        code: str,
        *,
        limits: CodeLimits,
        files: Sequence[ChatFile] = (),
        folders: Sequence[Path] = (),
        has_history: bool = False,
        watch: CallObserver,
    ) -> ToolOutput:
        """Run code in the session of a chat, one call after the other, and return what came of it.

        ``has_history`` is whether code of this chat has run before, maybe in a session that has ended. If
        cancelled, it returns at once, and the code is interrupted. Raises ``ToolServerError`` if no session
        can be started.
        """
        packages = "" if limits.program else await self._packages()
        wanted = (limits.program, limits.memory_bytes, tuple(folders), packages)
        session = self._sessions.get(conversation_id)
        is_new = session is None or session.has_ended or session.made_for != wanted
        if is_new:
            self._end(conversation_id)
            while len(self._sessions) >= _MAX_SESSIONS:
                self._end(min(self._sessions, key=lambda id_: self._sessions[id_].used_at))
            accepted = await self.sandbox(limits)
            session = await self._start(limits, packages=packages, folders=folders, accepted=accepted)
            session.made_for = wanted
            self._sessions[conversation_id] = session
        assert session is not None
        call = asyncio.create_task(
            session.run(code, files=files, limit_s=limits.seconds, watch=watch), name="python call"
        )
        try:
            outcome = await asyncio.shield(call)
        except asyncio.CancelledError:
            session.interrupt()
            self._ending.add(settling := asyncio.create_task(_settled(call)))
            settling.add_done_callback(self._ending.discard)
            raise
        finally:
            self._end_later(conversation_id, session)
        lacks_packages = not (limits.program or packages)
        return await self._output(outcome, is_new=is_new and has_history, lacks_packages=lacks_packages)

    async def close(self) -> None:
        """End all sessions; later calls start others."""
        for conversation_id in tuple(self._sessions):
            self._end(conversation_id)
        await self._ended()

    async def _ended(self) -> None:
        while self._ending:
            await asyncio.wait(tuple(self._ending))

    def forget(self, conversation_id: ConversationId) -> None:
        """End the session of a chat, if it has one, and with it all that it holds."""
        self._end(conversation_id)

    def _end(self, conversation_id: ConversationId) -> None:
        session = self._sessions.pop(conversation_id, None)
        if session is None:
            return
        if session.idle is not None:
            session.idle.cancel()
        self._ending.add(task := asyncio.create_task(session.end(), name="python session ends"))
        task.add_done_callback(self._ending.discard)

    def _end_later(self, conversation_id: ConversationId, session: _Session) -> None:
        loop = asyncio.get_running_loop()
        session.used_at = loop.time()
        if session.idle is not None:
            session.idle.cancel()
        if self._sessions.get(conversation_id) is session:
            session.idle = loop.call_later(self._idle_s, self._end, conversation_id)

    async def _start(
        self,
        limits: CodeLimits,
        *,
        packages: str = "",
        folders: Sequence[Path] = (),
        accepted: Sandbox,
    ) -> _Session:
        from fireside.tool_host.server_process import NotStarted, ServerProcess

        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="fireside-python-"))
        try:
            launch = await asyncio.to_thread(self._launch, limits, folder, packages, folders)
            launch = msgspec.structs.replace(launch, without_sandbox=accepted is Sandbox.NONE)
            process = await ServerProcess.start(launch)
        except (NotStarted, ToolServerInvalid, OSError) as exc:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
            match exc:
                case NotStarted():
                    reason = render(exc.reason)
                case OSError():
                    reason = render_os_error(exc)
                case _:
                    reason = exc.sentence()
            raise ToolServerError.of("python_not_started", reason=reason) from exc
        return _Session(process, folder=folder)

    def _launch(
        self, limits: CodeLimits, folder: Path, packages: str, folders: Sequence[Path]
    ) -> StdioLaunch:
        """Return the launch of a session. Blocks. Raises ``ToolServerInvalid`` without the interpreter."""
        from fireside.services.tool_servers.program_files import (
            executable_of,
            program_files,
            server_environment,
        )
        from fireside.tool_host.host_messages import StdioLaunch

        program = executable_of(limits.program or sys.executable, environ=self._environ, cwd=str(folder))
        own = () if limits.program else ("-S",)  # of this program's packages, none is for others
        variables = {
            "MPLBACKEND": "Agg",
            "MPLCONFIGDIR": str(folder / ".tmp"),
            "TMPDIR": str(folder / ".tmp"),
            "OMP_NUM_THREADS": "2",
            "OPENBLAS_NUM_THREADS": "2",
            "LANG": "C.UTF-8",
        }
        environment = server_environment(self._environ, own=variables, home=folder, is_offline=True)
        return StdioLaunch(
            command=(
                *(program, "-I", "-B", "-X", "utf8"),
                # Else a skill could have compiled code beside a script that the user has reviewed.
                *("-X", f"pycache_prefix={folder / '.tmp'}"),
                *own,
                str(_SCRIPT),
                *filter(None, (packages,)),
            ),
            cwd=str(folder),
            environment=environment,
            readable=(
                str(_SCRIPT),
                *program_files((program,)),
                *filter(None, (packages,)),
                *map(str, folders),
            ),
            writable=(),
            network=False,
            without_sandbox=False,
            is_confined=sys.platform == "linux",
            is_strict=True,
            limits={
                "RLIMIT_AS": limits.memory_bytes,
                "RLIMIT_FSIZE": SCRATCH_BYTES,
                "RLIMIT_NOFILE": 256,
                "RLIMIT_CORE": 0,
            },
            cwd_bytes=SCRATCH_BYTES,
        )

    async def _output(self, outcome: _Outcome, *, is_new: bool, lacks_packages: bool) -> ToolOutput:
        from fireside.services.tool_servers.server_service import read_images

        reply, notes = outcome.reply, list(outcome.notes)
        files = tuple(MadeFile(name=name, data=_decoded(data)) for name, data in reply.files)
        told: list[str] = []
        pictures = [(f"figure {n}", _decoded(data)) for n, data in enumerate(reply.pictures, 1)]
        pictures += [(file.name, file.data) for file in files if file.is_picture]
        images, problems = await asyncio.to_thread(read_images, pictures, read=self._read)
        if files:
            made = ", ".join(f"{file.name} ({format_bytes(len(file.data))})" for file in files)
            told.append(f"[Files handed to the user: {made}]")
        if reply.left_out:
            notes.append(f"[Files too large or too many to be handed over: {', '.join(reply.left_out)}]")
        if lacks_packages and reply.is_error and "ModuleNotFoundError" in outcome.output:
            notes.append(_PACKAGES_NOTE)
        if is_new:
            told.append("[This was a new session: nothing of earlier ones is left but the files.]")
        told += [f"[Image: {image.name}]" for image in images]
        text = "\n".join(filter(None, (outcome.output.rstrip("\n"), *notes, *problems)))
        return ToolOutput(
            text=text,
            notes="\n".join(told if text or told else ["(no output)"]),
            images=images,
            files=files,
            memory_bytes=reply.memory_bytes or None,
            is_error=reply.is_error,
        )


class _Outcome(msgspec.Struct, frozen=True, kw_only=True):
    reply: _Reply
    output: str
    notes: Sequence[str] = ()


class _Session:
    """One process, which runs one call at a time."""

    def __init__(self, process: ServerProcess, *, folder: Path) -> None:
        self.made_for: object = None
        """The interpreter and the limits that it was started with."""
        self.used_at = 0.0
        self.idle: asyncio.TimerHandle | None = None
        self.has_ended = False
        self._process = process
        self._folder = folder
        self._lock = asyncio.Lock()
        self._interrupted = asyncio.Event()
        self._exit_status: int | None = None
        self._put: set[tuple[str, bytes]] = set()

    @property
    def sandbox(self) -> Sandbox:
        return self._process.sandbox

    def interrupt(self) -> None:
        """Stop the running call."""
        self._interrupted.set()

    async def end(self) -> None:
        """End the process and delete its folder."""
        self.has_ended = True
        self._interrupted.set()
        self._process.kill()
        await self._process.stop()
        await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)

    async def run(
        self, code: str, *, files: Sequence[ChatFile], limit_s: float, watch: CallObserver
    ) -> _Outcome:
        """Run code; it has ended when this returns. Does not raise."""
        async with self._lock:
            self._interrupted.clear()
            put, notes = self._files_to_put(files)
            output = _Output(mark=secrets.token_hex(16), watch=watch)
            request = {"code": code, "mark": output.mark, "files": put, "most_bytes": MAX_MADE_BYTES}
            line = msgspec.json.encode(request) + b"\n"
            exchange = asyncio.create_task(self._exchange(line, output), name="python exchange")
            stops = (
                asyncio.create_task(self._interrupted.wait()),
                asyncio.create_task(output.is_flood.wait()),
            )
            await asyncio.wait((exchange, *stops), timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
            if not exchange.done():
                is_stopped, is_flood = self._interrupted.is_set(), output.is_flood.is_set()
                why = (
                    "by the user"
                    if is_stopped
                    else "it printed without end"
                    if is_flood
                    else f"it took longer than {limit_s:.0f} s"
                )
                notes.append(f"[The code was stopped: {why}.]")
                if not self.has_ended:
                    self._process.interrupt()
                await asyncio.wait((exchange,), timeout=_INTERRUPT_S)
            for stop in stops:
                stop.cancel()
            if not exchange.done():
                await self.end()
                await asyncio.wait((exchange,))
            reply = exchange.result()
            if reply is None:
                await self.end()
                status = f" (exit status {self._exit_status})" if self._exit_status else ""
                notes.append(f"[The process has ended{status}. All variables are gone.]")
            return _Outcome(
                reply=_Reply(is_error=True) if reply is None else reply, output=output.text, notes=notes
            )

    def _files_to_put(self, files: Sequence[ChatFile]) -> tuple[list[tuple[str, str]], list[str]]:
        """Return the files that the session does not have yet, and notes about those that are too large."""
        put: list[tuple[str, str]] = []
        too_large: list[str] = []
        n_bytes = 0
        for file in files:
            key = (file.name, hashlib.sha256(file.data).digest())
            if key in self._put:
                continue
            n_bytes += len(file.data)
            if n_bytes > MAX_PUT_BYTES:
                too_large.append(file.name)
                continue
            self._put.add(key)
            put.append((file.name, base64.b64encode(file.data).decode()))
        notes = [f"[Too large for the session: {', '.join(too_large)}]"] if too_large else []
        return put, notes

    async def _exchange(self, line: bytes, output: _Output) -> _Reply | None:
        """Return the reply, once all output has arrived; ``None`` where the process has ended."""
        from fireside.tool_host.server_process import LineTooLong

        reading = asyncio.create_task(output.read(self._process.read_log), name="python output")
        reply: _Reply | None = None
        try:
            await self._process.write(line)
            with contextlib.suppress(LineTooLong, JsonInvalid):
                reply = decode_json(await self._process.read_line(), kind=_Reply)
        except (OSError, RuntimeError):
            pass
        if reply is None and not self.has_ended:
            self._exit_status = await self._process.exit_status()
            self._process.kill()
        await reading
        return reply


class _Output:
    """What a call prints, as it comes, of a bounded length."""

    def __init__(self, *, mark: str, watch: CallObserver) -> None:
        self.mark = mark
        self.text = ""
        self.is_flood = asyncio.Event()
        self._end = f"\n{mark}\n".encode()
        self._watch = watch

    async def read(self, read: Callable[[], Awaitable[bytes]]) -> None:
        """Read until the mark, or the end."""
        data, n_dropped, n_bytes = bytearray(), 0, 0
        while chunk := await read():
            n_bytes += len(chunk)
            data += chunk
            if (end := data.find(self._end, max(0, len(data) - len(chunk) - len(self._end)))) >= 0:
                del data[end:]
                break
            if (excess := len(data) - 2 * MAX_OUTPUT_CHARS) > 0:
                middle = MAX_OUTPUT_CHARS // 2
                del data[middle : middle + excess]
                n_dropped += excess
            if n_bytes > _FLOOD_BYTES:
                self.is_flood.set()
            if not n_dropped:
                self._watch.on_output(data.decode(errors="replace"))
        self.text = _shortened(data.decode(errors="replace"), n_dropped=n_dropped)


def _shortened(text: str, *, n_dropped: int) -> str:
    n_left = n_dropped + len(text) - MAX_OUTPUT_CHARS
    if n_left <= 0:
        return text
    half = MAX_OUTPUT_CHARS // 2
    return f"{text[:half]}\n[{n_left} characters left out]\n{text[-half:]}"


def _decoded(data: str) -> bytes:
    try:
        return base64.b64decode(data)
    except ValueError:
        return b""


async def _settled(call: asyncio.Task[_Outcome]) -> None:
    await asyncio.wait((call,))


def reach_text(sandbox: Sandbox) -> str:
    """Return what code can reach besides its chat, as sentences; empty where it is confined."""
    match sandbox:
        case Sandbox.FULL:
            return ""
        case Sandbox.NO_NAMESPACES:
            return tr(
                "This system allows no namespaces. The code can see which files exist, change their "
                "permissions and times, and fill the disk. It cannot read or write your files, start "
                "programs, or reach the network."
            )
        case _:
            return tr(
                "This system does not confine it: the code can read, change and delete your files, start "
                "programs and use the network, as you can."
            )
