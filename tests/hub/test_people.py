"""Whom a provider vouches for: known again, with the role that they have by now."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest
from psycopg import AsyncConnection

from blueline.hub import people, schema
from blueline.hub.machines import NotInvited
from blueline.hub.people import HubPerson, Identity

ANNA = Identity("https://id.example", "anna", "Anna", "reader")
Result = TypeVar("Result")


def step(address: str, act: Callable[[AsyncConnection], Awaitable[Result]]) -> Result:
    async def run() -> Result:
        async with await AsyncConnection.connect(address, autocommit=True) as connection:
            await schema.upgrade(connection)
            async with connection.transaction():
                return await act(connection)

    return asyncio.run(run())


def admitted(address: str, who: Identity, code: str = "") -> HubPerson:
    async def act(connection: AsyncConnection) -> HubPerson:
        found = await people.known_by(connection, await people.admit(connection, who, code))
        assert found is not None
        return found

    return step(address, act)


def role(address: str, person: HubPerson) -> people.Role | None:
    return step(address, lambda one: people.role_everywhere(one, person))


def test_a_role_follows_what_the_provider_says_with_each_sign_in(address: str) -> None:
    first = admitted(address, ANNA)
    assert role(address, first) == "reader"

    again = admitted(address, ANNA._replace(role="owner", name="Anna B."))
    assert (again.number, again.name, role(address, again)) == (first.number, "Anna B.", "owner")

    admitted(address, ANNA._replace(role=None))
    assert role(address, first) is None


def test_a_role_that_was_given_by_hand_stays(address: str) -> None:
    anna = admitted(address, ANNA)
    step(address, lambda one: people.give(one, "Olga", anna.number, people.EVERYWHERE, "reviewer"))

    for said in (None, "owner"):
        admitted(address, ANNA._replace(role=said))
        assert role(address, anna) == "reviewer"


def test_nobody_comes_in_whom_nothing_lets_in(address: str) -> None:
    with pytest.raises(NotInvited, match="nobody has invited Anna"):
        admitted(address, ANNA._replace(role=None))


def test_a_link_is_for_whoever_came_with_it_first_and_adds_to_what_they_may(address: str) -> None:
    anna = admitted(address, ANNA)
    invited, code = step(address, lambda one: people.invite(one, "whoever", people.EVERYWHERE, "reviewer"))

    assert admitted(address, ANNA, code).number == anna.number
    assert role(address, anna) == "reviewer"
    assert role(address, invited) is None

    ben = ANNA._replace(subject="ben", name="Ben", role=None)
    invited, code = step(address, lambda one: people.invite(one, "Benjamin", people.EVERYWHERE, "owner"))
    assert admitted(address, ben, code) == HubPerson(invited.number, "Ben")
    more = step(address, lambda one: people.link(one, invited.number))
    with pytest.raises(NotInvited, match="somebody else"):
        admitted(address, ANNA._replace(subject="eve", role=None), more)
