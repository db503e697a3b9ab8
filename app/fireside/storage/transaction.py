"""All or nothing: one transaction on a connection."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import apsw


@contextmanager
def transaction(connection: apsw.Connection) -> Iterator[None]:
    """Commit what the block does; undo it if the block or the commit fails."""
    # IMMEDIATE: a lock that is held elsewhere is waited for here, not half way through.
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        _roll_back(connection)
        raise


def _roll_back(connection: apsw.Connection) -> None:
    if connection.in_transaction:
        # Where this fails, SQLite undoes what is left when the file is next opened.
        with suppress(apsw.Error):
            connection.execute("ROLLBACK")
