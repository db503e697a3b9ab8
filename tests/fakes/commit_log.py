"""Tell what the database will hold before each commit, and that it does after."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import apsw

from fakes.stores import Dump, dump
from fireside.storage import database, migrations

Told = Callable[[str], None]

MODULES = (database, migrations)
"""Those that commit changes."""


def fingerprint(contents: Dump) -> str:
    """Return a short name for the contents of a database."""
    return hashlib.sha256(repr(contents).encode()).hexdigest()[:16]


@contextmanager
def logged_commits(*, pending: Told, committed: Told) -> Iterator[None]:
    """Call ``pending`` with the fingerprint of what is about to be committed, ``committed`` once it is."""
    real = database.transaction

    @contextmanager
    def logged(connection: apsw.Connection) -> Iterator[None]:
        with real(connection):
            yield
            contents = fingerprint(dump(connection))
            pending(contents)
        committed(contents)

    for module in MODULES:
        vars(module)["transaction"] = logged
    try:
        yield
    finally:
        for module in MODULES:
            vars(module)["transaction"] = real
