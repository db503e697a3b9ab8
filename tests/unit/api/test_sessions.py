"""Names under which prompts of sessions are cached."""

from __future__ import annotations

from fireside.api.sessions import SessionOwners


async def test_a_session_keeps_its_name_and_no_other_has_it() -> None:
    owners = SessionOwners(lambda _: None)
    first = await owners.of("client", "a")
    assert await owners.of("client", "a") == first
    others = [await owners.of("client", "b"), await owners.of("other", "a")]
    others.append(await SessionOwners(lambda _: None).of("client", "a"))
    assert len({first, *others}) == 4


async def test_of_many_sessions_the_one_that_rests_longest_is_forgotten() -> None:
    forgotten: list[str] = []
    owners = SessionOwners(forgotten.append, most=2)
    a, b = await owners.of("client", "a"), await owners.of("client", "b")
    await owners.of("client", "a")
    c = await owners.of("client", "c")
    assert forgotten == [b]
    again = await owners.of("client", "b")
    assert again not in (a, b, c)  # what is forgotten is never written again
    assert forgotten == [b, a]
    owners.forget_all()
    assert forgotten == [b, a, c, again]


async def test_what_cannot_be_deleted_stops_no_answer() -> None:
    def fail(_: str) -> None:
        raise OSError

    owners = SessionOwners(fail, most=1)
    await owners.of("client", "a")
    assert await owners.of("client", "b")
    owners.forget_all()
