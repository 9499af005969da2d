"""Suggestions in a pull request: reviews with buttons where they can be, diffs where not."""

from __future__ import annotations

import re

from blueline.forge.commands import is_own
from blueline.forge.forge_config import ForgeSettings
from blueline.forge.responder import Handled
from blueline.forge.webhook import comment_of
from blueline.hosts.github import GITHUB
from blueline.hosts.host import Comment
from tests.forge.ground import Ground
from tests.forge.offering import applied
from tests.forge.standin import Failure
from tests.forge.webhooks import review_event

LONG = [f"line {n}\n" for n in range(1, 41)]
HEAD = "".join([*LONG[:5], "added\n", "and more\n", *LONG[5:]])


def ready(ground: Ground, head: str = HEAD) -> None:
    ground.push({"long.txt": "".join(LONG)})
    ground.push({"long.txt": head}, branch="work")
    ground.github.pull(7)


def pressed(ground: Ground, content: str, pull: int = 7) -> str:
    """The file after every button was pressed, from the last to the first."""
    comments = [one for review in ground.github.reviews for one in review["comments"]]
    for one in sorted(comments, key=lambda it: -it["line"]):
        content = applied(content, one["body"], one.get("start_line", one["line"]), one["line"])
    return content


def test_a_review_has_native_suggestion_blocks(ground: Ground) -> None:
    ready(ground)
    new = HEAD.replace("added\n", "ADDED\n").replace("line 7\n", "")
    ground.suggest({"long.txt": new}, pull=7)
    (review,) = ground.github.reviews
    assert review["event"] == "COMMENT"
    assert review["commit_id"] == ground.head("work")
    assert [(one["path"], one["line"], one["side"]) for one in review["comments"]] == [
        ("long.txt", 6, "RIGHT"),
        ("long.txt", 9, "RIGHT"),
    ]
    assert "```suggestion\nADDED\n```" in review["comments"][0]["body"]
    assert "```suggestion\n```" in review["comments"][1]["body"]
    assert pressed(ground, HEAD) == new
    # A webhook brings them to us as comments of whoever the token belongs to.
    assert all(is_own(one["body"]) for one in review["comments"])
    assert "With a button beside the lines:\n\n- **1.** `long.txt`" in review["body"]
    assert "`/apply all`" in review["body"]
    assert ground.github.bodies(7) == []


def test_the_button_and_the_command_give_the_same_bytes(ground: Ground) -> None:
    ready(ground)
    new = HEAD.replace("and more\n", "and ```more```\n\n\n").replace("line 5\n", "line 5\nnew\n")
    ground.suggest({"long.txt": new}, pull=7)
    by_button = pressed(ground, HEAD)
    assert ground.say("/apply all", number=7).outcome == "done"
    assert ground.content("long.txt", "work") == new == by_button


def test_lines_that_the_diff_does_not_show_are_diffs_in_the_body(ground: Ground) -> None:
    ready(ground)
    new = HEAD.replace("added\n", "ADDED\n").replace("line 30\n", "LINE 30\n")
    ground.suggest({"long.txt": new, "a.py": "one\nTWO\nthree\n"}, pull=7)
    (review,) = ground.github.reviews
    assert len(review["comments"]) == 1
    assert "- line 30\n+ LINE 30" in review["body"]
    assert "- two\n+ TWO" in review["body"]
    assert "the pull request does not show this file" in review["body"]
    assert "the pull request's diff does not show these lines" in review["body"]


def test_a_button_that_was_pressed_leaves_the_rest_in_the_fresh_list(ground: Ground) -> None:
    ready(ground)
    new = HEAD.replace("added\n", "ADDED\n").replace("line 30\n", "LINE 30\n")
    ground.suggest({"long.txt": new}, pull=7)
    ground.push({"long.txt": pressed(ground, HEAD)}, branch="work", message="Apply suggestion")
    assert ground.say("/apply 1", number=7).outcome == "moved"
    fresh = ground.github.bodies(7)[-1]
    assert "- line 30\n+ LINE 30" in fresh
    assert "ADDED" not in fresh
    ground.say("/apply 1", number=7)
    assert ground.content("long.txt", "work") == new


def test_everything_pressed_is_known_to_be_in_there(ground: Ground) -> None:
    ready(ground)
    ground.suggest({"long.txt": HEAD.replace("added\n", "ADDED\n")}, pull=7)
    ground.push({"long.txt": pressed(ground, HEAD)}, branch="work", message="Apply suggestion")
    assert ground.say("/apply all", number=7).outcome == "moved"
    assert "it is in there already" in ground.github.bodies(7)[-1]
    assert ground.statuses(7) == {1: "applied"}


def test_a_review_that_github_does_not_take_becomes_a_list(ground: Ground) -> None:
    ready(ground)
    ground.github.failures = [Failure("POST", "reviews", 422)]
    done = ground.suggest({"long.txt": HEAD.replace("added\n", "ADDED\n")}, pull=7)
    assert "422" in done.problem
    assert ground.github.reviews == []
    assert "- added\n+ ADDED" in ground.github.bodies(7)[0]


def test_more_than_thirty_buttons_are_several_reviews(ground: Ground) -> None:
    lines = [f"row {n}\n" for n in range(200)]
    ground.push({"rows.txt": ""})
    ground.push({"rows.txt": "".join(lines)}, branch="work")
    ground.github.pull(7)
    new = "".join(line.upper() if n % 4 == 0 else line for n, line in enumerate(lines))
    ground.suggest({"rows.txt": new}, pull=7)
    assert [len(review["comments"]) for review in ground.github.reviews] == [30, 20]
    assert pressed(ground, "".join(lines)) == new


def test_buttons_can_be_switched_off(ground: Ground) -> None:
    ready(ground)
    ground.settings = ForgeSettings(pull_suggestions=False)
    ground.suggest({"long.txt": HEAD.replace("added\n", "ADDED\n")}, pull=7)
    assert ground.github.reviews == []
    assert "- added\n+ ADDED" in ground.github.bodies(7)[0]


def test_an_issue_number_that_is_a_pull_request_is_one(ground: Ground) -> None:
    ready(ground)
    done = ground.suggest({"long.txt": HEAD.replace("added\n", "ADDED\n")}, issue=7)
    assert done.target.is_pull
    assert len(ground.github.reviews) == 1


def test_per_hunk_in_a_pull_request_each_button_has_its_number(ground: Ground) -> None:
    ready(ground)
    new = HEAD.replace("added\n", "ADDED\n").replace("line 7\n", "LINE 7\n")
    ground.suggest({"long.txt": new}, pull=7, per_hunk=True)
    (review,) = ground.github.reviews
    assert [re.findall(r"^\*\*(\d)\.\*\*", one["body"], re.M) for one in review["comments"]] == [["1"], ["2"]]
    ground.say("/apply 2", number=7)
    assert ground.content("long.txt", "work") == HEAD.replace("line 7\n", "LINE 7\n")


def answered(ground: Ground, body: str, path: str) -> Handled:
    found = comment_of(GITHUB, "pull_request_review_comment", review_event(body, path))
    assert isinstance(found, Comment)
    return ground.responder().handle(found)


def test_an_answer_in_a_thread_of_the_review_is_about_that_file(ground: Ground) -> None:
    ready(ground)
    ground.suggest({"a.py": "one\nTWO\nthree\n", "long.txt": HEAD.replace("added\n", "ADDED\n")}, pull=7)
    assert answered(ground, "Please whisper here.", "long.txt").outcome == "done"
    (said,) = ground.offer(7).feedback
    assert (said.numbers, said.text) == ((2,), "Please whisper here.")
    assert ground.github.reactions == [(55, "eyes")]


def test_a_command_in_a_thread_of_the_review_is_obeyed_once_and_told_apart(ground: Ground) -> None:
    ready(ground)
    ground.suggest({"long.txt": HEAD.replace("added\n", "ADDED\n")}, pull=7)
    assert answered(ground, "/apply 1", "long.txt").outcome == "done"
    assert answered(ground, "/apply 1", "long.txt").outcome == "again"
    assert set(ground.offer(7).handled) == {-55}
    assert len(ground.answers(7)) == 1
