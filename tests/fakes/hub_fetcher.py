"""A program that fetches one file of a hub: for each line that it reads once more, in a child to be killed.

It answers each line with the child's process number, and then with how the child ended.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import httpx2  # noqa: F401 - before the fork: a child is to be killed while it fetches, not while it imports

from fakes.hub_harness import QUICK, REPO
from fireside.hub.cancel_token import CancelToken
from fireside.hub.download_disk import Disk
from fireside.hub.download_plan import make_plan
from fireside.hub.file_transfer import FileTransfer, TransferContext, TransferReport
from fireside.hub.hub_session import HubSession
from fireside.hub.rate_limiter import RateLimiter

assert sys.platform != "win32", "it forks"


def main() -> None:
    endpoint, folder, arrived = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            fetch(endpoint, folder, arrived)
            os._exit(0)
        tell(child)
        tell(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def fetch(endpoint: str, folder: Path, arrived: Path) -> None:
    """Fetch the file; ``arrived`` holds the number of bytes that have arrived at any time."""
    session = HubSession(endpoint=endpoint)
    descriptor = os.open(arrived, os.O_RDWR | os.O_CREAT)

    def report(report: TransferReport) -> None:
        os.pwrite(descriptor, report.n_bytes.to_bytes(8, "little"), 0)

    (wanted,) = make_plan(session, REPO).files
    FileTransfer(
        TransferContext(
            session=session,
            disk=Disk(),
            limiter=RateLimiter(limit=lambda: None, clock=time.monotonic),
            options=QUICK,
        ),
        folder=folder,
        requested=wanted,
        cancel=CancelToken(),
        report=report,
    ).run()


def tell(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
