"""Why a server ended, out of what it wrote: as real programs write it."""

from __future__ import annotations

import pytest

from fireside.services.tool_servers.running_servers import failure_lines

NODE = """node:internal/modules/esm/resolve:283
    throw new ERR_MODULE_NOT_FOUND(
          ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/srv/x.js' imported from /srv/a.mjs
    at finalizeResolution (node:internal/modules/esm/resolve:283:11) {
  code: 'ERR_MODULE_NOT_FOUND',
  url: 'file:///srv/x.js'
}

Node.js v20.20.2"""
NODE_CAUSE = """TypeError: fetch failed
    at [eval]:1:16
    ... 4 lines matching cause stack trace ...
    at node:internal/main/eval_string:51:3 {
  [cause]: Error: connect ECONNREFUSED
      at [eval]:1:52
}"""
NPM = """npm error code E404
npm error 404 Not Found - GET https://registry.example/none
npm error 404
npm error 404  'none@*' could not be found.
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git url.
npm error A complete log of this run can be found in: /home/me/.npm/_logs/a.log"""
UV = """error: No solution found when resolving tool dependencies
  cause: Because a-server was not found in the cache, your requirements are unsatisfiable."""
PYTHON = """╭──────────────────────╮
│   FastMCP 4.2.3      │
╰──────────────────────╯
Traceback (most recent call last):
  File "/srv/server.py", line 7, in <module>
    raise RuntimeError("API_KEY is not set")
RuntimeError: API_KEY is not set
[11/29/26 12:53:02] INFO     Shutting down        server.py:12
INFO:     Application shutdown complete."""
GROUP = """  + Exception Group Traceback (most recent call last):
  |   File "/srv/server.py", line 5, in <module>
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/srv/server.py", line 2, in f
    | ValueError: no key
    +------------------------------------"""
PYDANTIC = """Traceback (most recent call last):
pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings
api_key
  Field required [type=missing]
    For further information visit https://errors.pydantic.dev/2.14/v/missing"""
RICH = """╭───── Traceback (most recent call last) ─────╮
│ /srv/server.py:5 in main                    │
│ ❱ 5 │   raise RuntimeError("missing")       │
╰─────────────────────────────────────────────╯
RuntimeError: missing"""
TYPER = """Usage: server [OPTIONS] {path}
Try 'server --help' for help.
╭─ Error ─────────────────────────────────────╮
│ Missing argument 'path'.                    │
╰─────────────────────────────────────────────╯"""
BANNER = """listening to nothing
╭──────────────────────╮
│   FastMCP 4.2.3      │
╰──────────────────────╯
"""


@pytest.mark.parametrize(
    ("log", "lines"),
    [
        (NODE, ["Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/srv/x.js' imported from /srv/a.mjs"]),
        (NODE_CAUSE, ["[cause]: Error: connect ECONNREFUSED"]),
        (NPM, ["Not Found - GET https://registry.example/none", "'none@*' could not be found."]),
        (UV, [line.strip() for line in UV.splitlines()]),
        (PYTHON, ["RuntimeError: API_KEY is not set"]),
        (GROUP, ["ValueError: no key"]),
        (
            PYDANTIC,
            [
                "pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings",
                "api_key",
                "Field required [type=missing]",
            ],
        ),
        (RICH, ["RuntimeError: missing"]),
        (TYPER, ["Missing argument 'path'."]),
        (BANNER, ["listening to nothing"]),
        ("usage: s [-h]\ns: error: unrecognized arguments: --x", ["s: error: unrecognized arguments: --x"]),
        ("2026-11-29 ERROR db: refused\nINFO: bye", ["2026-11-29 ERROR db: refused"]),
        ("a\nb\nc\nd\ne\nf", ["b", "c", "d", "e", "f"]),
        ("0 errors\nno terrors: here", ["0 errors", "no terrors: here"]),
        ("", []),
    ],
)
def test_the_line_that_says_why_is_chosen(log: str, lines: list[str]) -> None:
    assert list(failure_lines(log.splitlines())) == lines
