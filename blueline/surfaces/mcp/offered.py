"""The tools as an MCP client sees them: what each is for, what it takes, what it answers.

There is none to accept or reject.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from blueline.errors import BluelineError
from blueline.sdk import Outcome
from blueline.surfaces.mcp.callers import Caller
from blueline.surfaces.mcp.quoted import plain, quoted
from blueline.surfaces.mcp.tools import Tools

Given = Mapping[str, Any]
Schema = dict[str, Any]

READING: Schema = {"readOnlyHint": True, "openWorldHint": False}
EDITING: Schema = {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False}
PROPOSING: Schema = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}


class WrongArguments(BluelineError):
    """A call that a tool cannot make sense of."""


class Parameter(NamedTuple):
    """One argument of a tool. Without a default it must be given."""

    name: str
    about: str
    kind: str = "string"
    default: object = None
    choices: tuple[str, ...] = ()

    @property
    def schema(self) -> Schema:
        found: Schema = {"type": self.kind, "description": self.about}
        if self.choices:
            found["enum"] = [*self.choices]
        return found if self.default is None else {**found, "default": self.default}

    def read(self, tool: str, given: Given) -> object:
        """Its value in a call; a sentence says what is wrong with it."""
        if self.name not in given:
            if self.default is None:
                raise WrongArguments(f"{tool} needs {self.name}: {self.about}")
            return self.default
        value = given[self.name]
        if not isinstance(value, bool if self.kind == "boolean" else str):
            wanted = "true or false" if self.kind == "boolean" else "a text"
            raise WrongArguments(f"{self.name} must be {wanted}: {self.about}")
        if self.choices and value not in self.choices:
            raise WrongArguments(f"{self.name} must be one of {', '.join(self.choices)}")
        return value


PATH = Parameter("path", "the file: relative to the project's folder, or absolute inside it")
OLD = Parameter("old_string", "the text to replace, exactly as it stands in the file")
NEW = Parameter("new_string", "the text to put in its place")
WHY = Parameter("reason", "why, in a sentence, for the person who decides")
WHY_OR_NOT = WHY._replace(default="")
CELL = Parameter("cell_id", "the cell's id; in notebooks without ids cell-0, cell-1 …")
SOURCE = Parameter("source", "the whole source of the cell")

OUTCOME: Schema = {
    "type": "object",
    "properties": {
        "said": {"type": "string", "description": "what became of it, in a sentence"},
        "path": {"type": "string", "description": "relative to the project's root"},
        "call": {"type": "string", "description": "the id of the call"},
        "landed": {"type": "boolean", "description": "the file holds it now"},
        "held": {"type": "boolean", "description": "it is a proposal, which a person will decide about"},
        "cell": {"type": "string", "description": "the id of a cell that was added"},
        "complete": {"type": "boolean", "description": "false for a text that was cut short"},
    },
    "required": ["said", "path", "call", "landed", "held"],
}


def _document(*names: str) -> Schema:
    """The schema of a document that has at least these members."""
    return {
        "type": "object",
        "properties": {"note": {"type": "string", "description": "how to read the rest"}},
        "required": ["note", *names],
    }


class Answered(NamedTuple):
    """What a tool says: as a text for the model, and as a document for its program."""

    text: str
    document: Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool. `act` gets the arguments in the order of the parameters."""

    name: str
    about: str
    parameters: tuple[Parameter, ...] = ()
    kind: Schema
    answers: Schema
    act: Callable[..., object]

    @property
    def schema(self) -> Schema:
        """As it is listed."""
        return {
            "name": self.name,
            "description": self.about,
            "inputSchema": {
                "type": "object",
                "properties": {one.name: one.schema for one in self.parameters},
                "required": [one.name for one in self.parameters if one.default is None],
                "additionalProperties": False,
            },
            "outputSchema": self.answers,
            "annotations": self.kind,
        }

    def call(self, tools: Tools, caller: Caller, given: Given) -> Answered:
        """Read what was given, do what the tool is for, and word the answer."""
        unknown = given.keys() - {one.name for one in self.parameters}
        if unknown:
            named = ", ".join(one.name for one in self.parameters) or "nothing"
            raise WrongArguments(f"{self.name} takes no {sorted(unknown)[0]}; it takes {named}")
        found = self.act(tools, caller, *(one.read(self.name, given) for one in self.parameters))
        if isinstance(found, Outcome):
            # Some clients hand a model the document and not the text: so the sentence is in it.
            return Answered(str(found), {"said": str(found), **asdict(found)})
        assert isinstance(found, dict)
        return Answered(quoted(found), plain(found))


STATUS = Parameter(
    "status",
    "what was decided about them",
    default="pending",
    choices=("pending", "accepted", "rejected", "all"),
)
CHANGE = Parameter("id", "a hunk (h…), call (c…), turn (t…), decision (d…) or file")

TOOLS: tuple[Tool, ...] = (
    Tool(
        name="edit_file",
        about="Replace a text that stands exactly once in a file. An empty old_string makes a new file.",
        parameters=(
            *(PATH, OLD, NEW),
            Parameter("replace_all", "replace it wherever it stands", kind="boolean", default=False),
        ),
        kind=EDITING,
        answers=OUTCOME,
        act=Tools.edit_file,
    ),
    Tool(
        name="write_file",
        about="Write a whole file. It and its folders are made if they are missing.",
        parameters=(PATH, Parameter("content", "the whole new content")),
        kind=EDITING,
        answers=OUTCOME,
        act=Tools.write_file,
    ),
    Tool(
        name="propose_edit",
        about="Propose an edit: the file changes only when a person accepts it.",
        parameters=(PATH, OLD, NEW, WHY),
        kind=PROPOSING,
        answers=OUTCOME,
        act=Tools.propose_edit,
    ),
    Tool(
        name="edit_cell",
        about="Propose another source for a cell of a Jupyter notebook.",
        parameters=(PATH, CELL, SOURCE, WHY_OR_NOT),
        kind=PROPOSING,
        answers=OUTCOME,
        act=Tools.edit_cell,
    ),
    Tool(
        name="add_cell",
        about="Propose a new cell for a Jupyter notebook.",
        parameters=(
            *(PATH, SOURCE),
            Parameter("after", "id of the cell it comes after; empty: before all", default=""),
            Parameter("cell_type", "its kind", default="code", choices=("code", "markdown", "raw")),
            WHY_OR_NOT,
        ),
        kind=PROPOSING,
        answers=OUTCOME,
        act=Tools.add_cell,
    ),
    Tool(
        name="delete_cell",
        about="Propose to take a cell out of a Jupyter notebook.",
        parameters=(PATH, CELL, WHY_OR_NOT),
        kind=PROPOSING,
        answers=OUTCOME,
        act=Tools.delete_cell,
    ),
    Tool(
        name="review_status",
        about="The mode, how many changes are undecided, and whether the work may ship.",
        kind=READING,
        answers=_document("mode", "counts", "gate"),
        act=lambda tools, caller: tools.review_status(),
    ),
    Tool(
        name="list_changes",
        about="The changes of agents in this project that people have not decided yet, or have.",
        parameters=(STATUS,),
        kind=READING,
        answers=_document("hunks"),
        act=lambda tools, caller, status: tools.list_changes(status),
    ),
    Tool(
        name="explain_change",
        about="One change with all that is known of it: its text, who made it, what was decided and why.",
        parameters=(CHANGE,),
        kind=READING,
        answers=_document("kind"),
        act=lambda tools, caller, change: tools.explain_change(change),
    ),
)
