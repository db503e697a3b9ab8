"""A runner for which steps take no time, so that it drafts whenever it can: how long they take is no fact."""

import os
import sys

from fireside.runner import process
from fireside.runner.speculation import head_context
from fireside.runner.speculation.speculator import Speculator


def _speculator(**arguments: object) -> Speculator:
    return Speculator(**{**arguments, "clock": lambda: 0.0})  # type: ignore[arg-type]


vars(process)["Speculator"] = _speculator
if os.environ.get("FIRESIDE_TEST_WITHOUT_HEADS"):
    vars(head_context)["ext"] = None  # as with a build that lacks one of the functions
sys.exit(process.main())
