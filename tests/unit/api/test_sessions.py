"""Names under which prompts of sessions are cached."""

from __future__ import annotations

from fireside.api.sessions import SessionOwners


async def test_a_session_keeps_its_name_and_no_other_has_it() -> None:
    owners = SessionOwners(lambda _: None)
    first = await owners.owner_of("client", "a")
    assert await owners.owner_of("client", "a") == first
    others = [await owners.owner_of("client", "b"), await owners.owner_of("other", "a")]
    others.append(await SessionOwners(lambda _: None).owner_of("client", "a"))
    assert len({first, *others}) == 4


async def test_of_many_sessions_the_one_that_rests_longest_is_forgotten() -> None:
    forgotten: list[str] = []
    owners = SessionOwners(forgotten.append, max_sessions=2)
    a, b = await owners.owner_of("client", "a"), await owners.owner_of("client", "b")
    await owners.owner_of("client", "a")
    c = await owners.owner_of("client", "c")
    assert forgotten == [b]
    again = await owners.owner_of("client", "b")
    assert again not in (a, b, c)  # what is forgotten is never written again
    assert forgotten == [b, a]
    owners.clear()
    assert forgotten == [b, a, c, again]


async def test_what_cannot_be_deleted_stops_no_answer() -> None:
    def fail(_: str) -> None:
        raise OSError

    owners = SessionOwners(fail, max_sessions=1)
    await owners.owner_of("client", "a")
    assert await owners.owner_of("client", "b")
    owners.clear()
