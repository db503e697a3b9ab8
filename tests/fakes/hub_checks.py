"""What must hold after every download, whatever went wrong on its way."""

from __future__ import annotations

from fakes.fake_hub import FakeHub
from fakes.hub_harness import FILE, REPO, HubHarness

_REDIRECTS = (301, 302, 303, 307, 308)


def check_arrived(harness: HubHarness, *, before_change: bytes | None = None) -> None:
    """The file is what the hub has, under its name, with its origin beside it and nothing else.

    One that changed on the hub meanwhile may be whole as it was before.
    """
    assert harness.target.read_bytes() in (harness.repo.files[FILE], before_change)
    assert harness.names() == [f"{REPO}/{FILE}", f"{REPO}/{FILE}.origin.json"]


def check_nothing_left(harness: HubHarness) -> None:
    """A refused file is nowhere, not even in part."""
    assert harness.names() == []


def check_token_stayed(hub: FakeHub) -> None:
    """The token was used, and only the hub's own host saw it."""
    assert any(seen.authorization for seen in hub.seen if seen.server == "hub")
    assert not any(seen.authorization for seen in hub.seen if seen.server != "hub")


def check_asked_anew(hub: FakeHub) -> None:
    """Before each connection for content the hub was asked what the file is now."""
    was_asked = False
    for seen in hub.seen:
        if seen.method == "HEAD":
            was_asked = True
        elif seen.range is not None:
            assert was_asked, (
                f"{seen.range} was fetched, and it was not asked whether the file is still the same"
            )
            was_asked = seen.status in _REDIRECTS
