"""Keyring backends, written by hand: one that works, and one for each way not to."""

from __future__ import annotations

import threading

import keyring.errors


class WorkingKeyring:
    """Keeps secrets in memory."""

    def __init__(self) -> None:
        self.secrets: dict[tuple[str, str], str] = {}
        self.n_calls = 0

    def get_password(self, service: str, username: str, /) -> str | None:
        self.n_calls += 1
        return self.secrets.get((service, username))

    def set_password(self, service: str, username: str, password: str, /) -> None:
        self.secrets[service, username] = password

    def delete_password(self, service: str, username: str, /) -> None:
        if self.secrets.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError("No results")


class LosingKeyring(WorkingKeyring):
    """Takes everything and keeps nothing, as ``keyring.backends.null`` does."""

    def set_password(self, service: str, username: str, password: str, /) -> None:
        pass


class GarblingKeyring(WorkingKeyring):
    """Gives back something else."""

    def set_password(self, service: str, username: str, password: str, /) -> None:
        super().set_password(service, username, password[:-1])


class ClingingKeyring(WorkingKeyring):
    """Says that it deleted and did not."""

    def delete_password(self, service: str, username: str, /) -> None:
        pass


class RaisingKeyring(WorkingKeyring):
    """Answers everything with one error."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error

    def get_password(self, service: str, username: str, /) -> str | None:
        raise self.error

    def set_password(self, service: str, username: str, password: str, /) -> None:
        raise self.error


class HangingKeyring(WorkingKeyring):
    """Waits for a user who does not come, until ``answer`` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.answer = threading.Event()
        self.called = threading.Event()

    def get_password(self, service: str, username: str, /) -> str | None:
        self.called.set()
        self.answer.wait()
        return super().get_password(service, username)
