"""What people said on the host reaches the agents here."""

from __future__ import annotations

from pathlib import Path

from tests.forge.ground import run_git
from tests.forge.pending_place import Place
from tests.forge.standin import REPO


def test_feedback_reaches_the_agent_with_the_next_prompt(place: Place) -> None:
    place.run("suggest", "--issue", "5")
    assert place.event("Please shout the third as well.")["handed_on"] == 1
    assert place.event("/reject 1 because it is too loud")["handed_on"] == 1
    with place.project.desk() as desk:
        texts = [(note["target"], note["state"], note["text"]) for note in desk.workbench.notes()]
    where = f"({REPO}#5, comment"
    assert [text for _, _, text in texts] == [
        f"ada on GitHub: Please shout the third as well. {where} 1002)",
        f"ada on GitHub rejected suggestion 1 (a.py) because it is too loud {where} 1004, rejected)",
    ]
    assert all(target == {"kind": "turn", "id": "t1"} and state == "sent" for target, state, _ in texts)
    _, said, _ = place.project.hook(place.project.event("UserPromptSubmit", prompt="go on"))
    assert "Please shout the third as well." in said.decode()
    # What was said once is not said again.
    assert place.json("forge", "fetch")["handed_on"] == 0


def test_words_for_all_reach_every_conversation_once_at_its_latest_turn(place: Place) -> None:
    place.project.prompt("and more")
    place.project.edit("a.py", "three", "THREE")
    place.project.conversation = "conversation-2"
    place.project.prompt("something else")
    place.project.edit("b.py", "uno", "UNO")
    place.run("suggest", "--issue", "5")
    assert place.event("Please whisper.")["handed_on"] == 2
    assert place.event("/reject 2")["handed_on"] == 1
    with place.project.desk() as desk:
        found = [
            (note["target"]["id"], note["text"].partition(":")[2][:9]) for note in desk.workbench.notes()
        ]
    assert found == [("t2", " Please w"), ("t3", " Please w"), ("t3", "")]
    assert place.json("forge", "fetch")["handed_on"] == 0


def test_fetch_hands_on_what_an_action_could_not(place: Place, tmp_path: Path) -> None:
    place.run("suggest", "--issue", "5")
    other = tmp_path / "action"
    run_git(tmp_path, "clone", "-q", str(place.github.remote), str(other))
    here, place.project.root = place.project.root, other
    assert place.event("Please whisper.")["handed_on"] == 0
    place.project.root = here
    done = place.json("forge", "fetch")
    assert done["handed_on"] == 1
    assert done["threads"][0]["feedback"] == [
        {"by": "ada", "verdict": "feedback", "numbers": [], "text": "Please whisper."}
    ]
    assert "Please whisper." in place.run("forge", "fetch")
