"""What a program that stays is told of a project, and asks of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import TypeVar

import pytest

from blueline.adapters import interpret
from blueline.contract.overview import FollowedDocument
from blueline.desk import Desk
from blueline.desk.followed_project import FollowedProject
from blueline.errors import BluelineError
from tests.support.project import Project

PATIENCE_SECONDS = 60

Result = TypeVar("Result")


@pytest.fixture
def followed(p: Project) -> Iterator[FollowedProject]:
    found = FollowedProject(p.root, p.state, lambda root: opened(p))
    yield found
    found.close()


def opened(p: Project) -> Desk:
    return Desk.open(p.root, environ=p.environ, interpret=interpret)


def asked(followed: FollowedProject, verb: Callable[[Desk], Result]) -> Result:
    return followed.asked(verb).result(PATIENCE_SECONDS)


def pending(desk: Desk) -> list[str | None]:
    return [hunk["new"] for hunk in desk.list()["hunks"]]


def test_the_desk_stays_from_one_question_to_the_next(followed: FollowedProject) -> None:
    assert asked(followed, lambda desk: desk) is asked(followed, lambda desk: desk)


def test_questions_that_are_asked_at_once_are_answered_one_after_the_other(followed: FollowedProject) -> None:
    answers = [followed.asked(pending) for _ in range(5)]
    assert [answer.result(PATIENCE_SECONDS) for answer in answers] == [["THREE\n"]] * 5


@pytest.mark.usefixtures("many")
def test_as_long_as_nobody_follows_it_any_file_may_have_changed(
    p: Project, followed: FollowedProject
) -> None:
    asked(followed, pending)
    p.put("a.md", "by hand\n" + p.text("a.md"))
    assert asked(followed, lambda desk: [one["path"] for one in desk.workbench.news()]) == ["a.md"]


def test_who_follows_it_is_told_what_hooks_and_commands_do(p: Project, followed: FollowedProject) -> None:
    said: Queue[FollowedDocument] = Queue()
    followed.follow(said.put, lambda error: None)
    assert said.get(timeout=PATIENCE_SECONDS)["counts"]["hunks"] == 1
    p.edit("b.md", "line 5\n", "FIVE\n")
    while said.get(timeout=PATIENCE_SECONDS)["counts"]["hunks"] != 2:
        pass
    p.reject("a.md")
    while (found := said.get(timeout=PATIENCE_SECONDS))["counts"]["hunks"] != 1:
        pass
    assert found["files"] == ["a.md"]


def test_who_follows_it_is_told_that_the_gate_is_open(p: Project, followed: FollowedProject) -> None:
    p.accept()
    said: Queue[FollowedDocument] = Queue()
    followed.follow(said.put, lambda error: None)
    assert not said.get(timeout=PATIENCE_SECONDS)["gate"]["open"]
    # A review changes no file and decides nothing.
    p.looked_at()
    while not said.get(timeout=PATIENCE_SECONDS)["gate"]["open"]:
        pass


def test_who_follows_it_hears_that_it_cannot_be_opened_and_that_it_can(p: Project) -> None:
    is_shut = [True]

    def open_desk(root: Path) -> Desk:
        if is_shut.pop():
            raise BluelineError("not now", hint="later")
        is_shut.append(False)
        return opened(p)

    failures: Queue[Exception | None] = Queue()
    followed = FollowedProject(p.root, p.state, open_desk)
    is_shut.insert(0, False)
    followed.follow(lambda news: None, failures.put)
    assert str(failures.get(timeout=PATIENCE_SECONDS)) == "not now"
    assert failures.get(timeout=PATIENCE_SECONDS) is None
    followed.close()


class Cleared(threading.Event):
    """Is cleared just when somebody else has told it to end."""

    def __init__(self, stop: threading.Event) -> None:
        super().__init__()
        self._stop = stop

    def clear(self) -> None:
        self._stop.set()
        super().clear()


def test_who_is_told_to_end_at_the_worst_moment_ends(p: Project) -> None:
    followed = FollowedProject(p.root, p.state, lambda root: opened(p))
    followed._is_due = Cleared(followed._stop)
    followed.follow(lambda news: None, lambda error: None)

    assert followed._follower is not None
    followed._follower.join(PATIENCE_SECONDS)
    assert not followed._follower.is_alive(), "it waits for something that nobody will say again"
    followed.close()
