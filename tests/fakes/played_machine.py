"""What is foreign to the program on a computer, as a test plays it: processes, drivers, memory."""

from __future__ import annotations

from fireside.documents.extraction import read
from fireside.documents.messages import ReadReply, ReadRequest


class PlayedMachine:
    """``readings`` is what attached files of a name are read as; all others are really read."""

    def __init__(self) -> None:
        self.readings: dict[str, ReadReply] = {}

    def read_file(self, request: ReadRequest, /) -> ReadReply:
        """Stand for the process that reads attached files."""
        return self.readings.get(request.name) or read(request)
