"""A crash leaves no copy of the memory of the program, or of what it starts."""

from __future__ import annotations

import subprocess
import sys

import pytest

_PROGRAM = """
import contextlib, sys
from fireside.__main__ import main

sys.argv = ["fireside", "--version"]
with contextlib.suppress(SystemExit):
    main()
import resource, subprocess
print(resource.getrlimit(resource.RLIMIT_CORE)[0])
child = "import resource; print(resource.getrlimit(resource.RLIMIT_CORE)[0])"
subprocess.run([sys.executable, "-c", child], check=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has error modes instead of core files")
def test_program_and_children_leave_no_core_files() -> None:
    # "ulimit -c" may be off where the tests run, so it is first set as high as it can be.
    command = ["sh", "-c", 'ulimit -c $(ulimit -H -c); exec "$@"', "sh", sys.executable, "-c", _PROGRAM]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    assert ran.stdout.splitlines()[-2:] == ["0", "0"]
