"""An agent works, somebody decides, and the agent hears of it at its next turn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.agents.agent import Agent
from tests.support.agents.place import Place
from tests.support.scripted_model import ScriptedModel, says

POEM = "".join(f"line {number}\n" for number in range(1, 13))
REASON = "no shouting in the third line"
TAKEN_BACK = "Taken back, and not in the files any more."
KEPT = "Kept. There is nothing to do"


def received(request: dict[str, Any]) -> str:
    """Everything that one request says to the model."""
    return json.dumps({key: value for key, value in request.items() if key != "tools"}, ensure_ascii=False)


def hears_at_its_next_turn(place: Place, home: Path, make: type[Agent]) -> None:
    """Two turns with decisions between them, and a third."""
    with ScriptedModel() as model:
        agent = make(place.root, home, model)
        model.then(
            [
                [agent.reads("a.md")],
                [agent.edits("a.md", "line 3\n", "LINE THREE\n")],
                [agent.edits("a.md", "line 9\n", "LINE NINE\n")],
                [says("Louder now.")],
            ]
        )
        agent.turn("make it louder")
        by_line = {hunk["new_start"]: hunk["id"] for hunk in place.blueline("list")["hunks"]}
        place.blueline("reject", by_line[3], "--reason", REASON)
        place.blueline("accept", by_line[9])
        before = len(model.requests)
        model.then([[agent.reads("a.md")], [says("I see.")]])
        assert "I see." in agent.turn("what now?")
        after = len(model.requests)
        model.then([[says("And on.")]])
        assert "And on." in agent.turn("and now?")
    assert TAKEN_BACK not in received(model.requests[before - 1])
    heard = received(model.requests[before])
    assert heard.count(TAKEN_BACK) == heard.count(REASON) == heard.count(KEPT) == 1
    assert "+LINE THREE" in heard
    assert heard.index("make it louder") < heard.index(TAKEN_BACK)
    # G03: what it reads is what stands there now.
    assert "LINE THREE" not in str(model.tool_results()[-1]["content"])
    assert "LINE NINE" in str(model.tool_results()[-1]["content"])
    # It is in the conversation from then on, and not said a second time.
    assert received(model.requests[after]).count(TAKEN_BACK) == 1
    assert (place.root / "a.md").read_text() == POEM.replace("line 9", "LINE NINE")
