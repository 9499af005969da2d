"""What an event says to the recorder, whichever agent sends it: who, when, which files it may change.

Several agents run each other's hooks, so the one a hook was installed for is not always the one that runs it.
What the payload says counts before the environment, which an agent started by another agent inherits.

A hook process imports this for every tool call, and the agent waits for it: only built-in modules.
"""

import posix

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    Event = Mapping[str, object]

# Names of events in small letters; no two agents mean different things by one of them.
PHASES = {
    "userpromptsubmit": "prompt",  # Claude Code, Codex, Copilot
    "userpromptsubmitted": "prompt",  # Copilot
    "beforeagent": "prompt",  # Gemini
    "beforesubmitprompt": "prompt",  # Cursor
    "chat.message": "prompt",  # opencode
    "pre_user_prompt": "prompt",  # Windsurf
    "pretooluse": "before",
    "beforetool": "before",
    "tool.execute.before": "before",
    "beforeshellexecution": "before",
    "beforemcpexecution": "before",
    "pre_write_code": "before",
    "pre_run_command": "before",
    "pre_mcp_tool_use": "before",
    "posttooluse": "after",
    "posttoolusefailure": "after",
    "aftertool": "after",
    "tool.execute.after": "after",
    "aftershellexecution": "after",
    "aftermcpexecution": "after",
    "afterfileedit": "after",
    "post_write_code": "after",
    "post_run_command": "after",
    "post_mcp_tool_use": "after",
    "stop": "stop",
    "interrupt": "stop",  # Codex
    "afteragent": "stop",
    "agentstop": "stop",
    "session.idle": "stop",
    "post_cascade_response": "stop",
    "sessionend": "end",
    "session.deleted": "end",
}

# Tools that change the files they name, and no others.
EDITING: "dict[str, frozenset[str]]" = {
    "claude-code": frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit"}),
    "codex": frozenset({"apply_patch"}),
    "gemini": frozenset({"write_file", "replace"}),
    "cursor": frozenset({"Write", "Edit", "Delete"}),
    "opencode": frozenset({"edit", "write", "multiedit", "patch", "apply_patch"}),
    "copilot": frozenset(
        {"edit", "create", "Edit", "Create", "Write", "MultiEdit", "apply_patch", "str_replace_editor"}
        # VS Code
        | {"replace_string_in_file", "multi_replace_string_in_file", "create_file", "insert_edit_into_file"}
        | {"edit_notebook_file"}
    ),
    "windsurf": frozenset({"write_code"}),
}

# Codex calls these by their group, too, with nothing between the two.
CODEX_TEAM = [
    f"{group}{tool}_agent"
    for group in ("", "multi_agent_v1", "collaboration")
    for tool in ("spawn", "wait", "resume", "close", "interrupt")
]

# Tools that change no file of a project: they read, search, plan, ask, or start somebody whose own calls are
# recorded. Of a tool that is in neither list, anything is expected.
HARMLESS: "dict[str, frozenset[str]]" = {
    "claude-code": frozenset(
        {"Read", "Glob", "Grep", "LS", "LSP", "NotebookRead", "WebFetch", "WebSearch", "ToolSearch"}
        | {"Task", "Agent", "SendMessage", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode"}
        | {"TodoWrite", "TodoRead", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "ListAgents"}
        | {"BashOutput", "AgentOutput", "TaskOutput", "KillShell", "KillBash", "TaskStop"}
        | {"CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "WaitForMcpServers"}
        | {"ListMcpResourcesTool", "ReadMcpResourceTool", "ReadMcpResourceDirTool", "StructuredOutput"}
    ),
    "codex": frozenset(
        {"update_plan", "view_image", "read_file", "list_dir", "grep_files", "web_search"}
        | {"wait", "request_user_input", "get_goal", "create_goal", "update_goal", *CODEX_TEAM}
        | {"send_input", "multi_agent_v1send_input", "collaborationsend_message"}
        | {"collaborationfollowup_task", "collaborationlist_agents"}
        | {"list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"}
    ),
    "gemini": frozenset(
        {"read_file", "read_many_files", "list_directory", "glob", "grep_search", "search_file_content"}
        | {"google_web_search", "web_fetch", "write_todos", "ask_user", "enter_plan_mode", "exit_plan_mode"}
        | {"get_internal_docs", "codebase_investigator", "cli_help", "complete_task", "update_topic"}
        | {"invoke_agent", "list_mcp_resources", "read_mcp_resource"}
    ),
    "cursor": frozenset(
        {"Read", "Grep", "Glob", "List", "LS", "Fetch", "Search", "SemanticSearch", "WebFetch", "WebSearch"}
        | {"ReadLints", "ListMcpResources", "Task", "TodoWrite", "TodoRead"}
    ),
    "opencode": frozenset(
        {"read", "grep", "glob", "list", "lsp", "webfetch", "websearch", "codesearch", "todowrite"}
        | {"todoread", "task", "question", "plan_enter", "plan_exit", "invalid"}
    ),
    "copilot": frozenset(
        {"view", "view_image", "grep", "rg", "glob", "web_fetch", "web_search", "report_intent", "task"}
        | {"update_todo", "read_bash", "stop_bash", "list_bash", "read_agent", "write_agent", "list_agents"}
        | {"ask_user", "exit_plan_mode", "fetch_copilot_cli_documentation", "task_complete"}
        | {"Read", "Grep", "Glob", "WebFetch", "WebSearch", "Agent", "Task", "TodoWrite"}
        # VS Code
        | {"read_file", "list_dir", "grep_search", "file_search", "semantic_search", "get_errors"}
        | {"manage_todo_list", "fetch_webpage", "get_terminal_output"}
    ),
    "windsurf": frozenset({"read_code"}),
}

# Tools that start or end a sub-agent, and when there is something to know of it.
STAFFING: "dict[str, dict[str, tuple[str, ...]]]" = {
    "claude-code": {"Agent": ("after",), "Task": ("after",)},
    "codex": {"close_agent": ("after",), "multi_agent_v1close_agent": ("after",)},
    "gemini": {"invoke_agent": ("before", "after")},
}

PROJECT_VARIABLES = {
    "claude-code": b"CLAUDE_PROJECT_DIR",
    "copilot": b"COPILOT_PROJECT_DIR",
    "cursor": b"CURSOR_PROJECT_DIR",
    "gemini": b"GEMINI_PROJECT_DIR",
}

# Agents that also run hooks from Claude Code's settings, and where their own are.
OWN_SETTINGS = {"copilot": b".github/hooks/blueline.json", "cursor": b".cursor/hooks.json"}
SIGNATURE = b"import recorder;recorder.main("

PATCH_MARKERS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")
PATH_KEYS = ("file_path", "notebook_path", "path", "filePath", "absolute_path", "target_file")
CALL_KEYS = ("tool_use_id", "toolCallId", "callID")
ANSWERS = ("mcp_result",)
"""What is among the things a tool was given, but only at its end."""
COPILOT_PARENT = ("parent_agent_id", "parentAgentId")
CONVERSATION_KEYS = ("conversation_id", "session_id", "sessionId", "trajectory_id")


class Said:
    """What the recorder has to know of an event."""

    __slots__ = ("agent", "conversation", "event", "paths", "phase", "project", "reach", "subagent", "tool")

    def __init__(self, agent: str, event: str, phase: str) -> None:
        self.agent = agent
        """The agent that really runs this hook."""
        self.event = event
        """Its own name for the event; empty if it gives none."""
        self.phase = phase
        """"prompt", "before" or "after" a tool, "stop" of a turn, "end" of a conversation, or empty.

        A sub-agent has neither prompts nor turns."""
        self.tool = ""
        self.reach = "none"
        """What the tool may change: "files" (those in `paths`), "tree" (anything) or "none"."""
        self.paths: list[bytes] = []
        """The files it names, absolute."""
        self.project = b""
        """The folder from which the project's root is looked for."""
        self.conversation = ""
        self.subagent = ""
        """The one that it is about; empty if it is about the agent itself."""


def reading(agent: str, event: "Event", environ: "Mapping[bytes, bytes]") -> Said:
    """What an event says. `agent` is the one that the hook was installed for."""
    real = host(agent, event, environ)
    name = event_name(event)
    said = Said(real, name, PHASES.get(name.lower(), ""))
    said.conversation = conversation(event)
    said.subagent = subagent(event)
    if said.subagent and said.phase in ("prompt", "stop"):
        said.phase = ""  # these are a person's
    folder = encode(event.get("cwd"))
    said.project = _project(real, event, environ) or folder
    if not said.project.startswith(b"/"):
        said.project = posix.getcwdb()
    if said.phase in ("before", "after"):
        said.tool = tool = tool_name(event, name)
        given = tool_input(event)
        if isinstance(given, dict) and tool == "str_replace_editor" and given.get("command") == "view":
            return said
        if tool in EDITING.get(real, ()):
            said.paths = _paths(given, folder if folder.startswith(b"/") else said.project)
            # An edit of nothing in particular may be of anything.
            said.reach = "files" if said.paths else "tree"
        elif tool not in HARMLESS.get(real, ()):
            said.reach = "tree"
    return said


def is_edit(said: Said) -> bool:
    """Whether an edit is about to be made that `hold` refuses."""
    return said.phase == "before" and said.reach == "files"


def is_double(agent: str, said: Said, root: bytes) -> bool:
    """Whether the agent that runs a hook installed for another has its own here too, and says this twice."""
    if agent == said.agent or said.agent not in OWN_SETTINGS:
        return False
    try:
        fd = posix.open(root + b"/" + OWN_SETTINGS[said.agent], posix.O_RDONLY | posix.O_NONBLOCK)
    except OSError:
        return False
    try:
        found = posix.read(fd, 1 << 20)
        # Those that somebody committed on another machine do nothing here.
        return SIGNATURE in found and encode(__file__.rpartition("/")[0]) in found
    except OSError:
        return False
    finally:
        posix.close(fd)


# The host


def host(agent: str, event: "Event", environ: "Mapping[bytes, bytes]") -> str:
    """The agent that really runs a hook which was installed for `agent`."""
    if "blueline" in event or agent == "opencode":  # both write these payloads only for us
        return agent
    if "agent_action_name" in event:
        return "windsurf"
    if "cursor_version" in event or "workspace_roots" in event:
        return "cursor"
    if "sessionId" in event:
        return "copilot"
    name = event.get("hook_event_name")
    if isinstance(name, str) and name.startswith(("Before", "After")):
        return "gemini"
    if "model" in event and ("turn_id" in event or "permission_mode" in event):
        return "codex"
    session = encode(event.get("session_id"))
    if "timestamp" in event and "tool_use_id" not in event and "prompt_id" not in event:
        if session and environ.get(b"GEMINI_SESSION_ID") == session:
            return "gemini"
        if agent == "gemini" or (b"GEMINI_CWD" in environ and b"COPILOT_CLI" not in environ):
            return "gemini"
        return "copilot"
    return _without_marks(agent, event, session, environ)


def _without_marks(agent: str, event: "Event", session: bytes, environ: "Mapping[bytes, bytes]") -> str:
    """For an event that looks like one of Claude Code's, or like nothing at all."""
    transcript = event.get("transcript_path")
    if agent != "claude-code" or (isinstance(transcript, str) and "/projects/" in transcript):
        return agent
    if "prompt_id" in event or (session and environ.get(b"CLAUDE_CODE_SESSION_ID") == session):
        return agent
    for variable, other in (
        (b"COPILOT_CLI", "copilot"),
        (b"GEMINI_CWD", "gemini"),
        (b"CURSOR_VERSION", "cursor"),
    ):
        if variable in environ:
            return other
    return agent


def _project(real: str, event: "Event", environ: "Mapping[bytes, bytes]") -> bytes:
    if real in PROJECT_VARIABLES and (named := environ.get(PROJECT_VARIABLES[real])):
        return named
    roots = event.get("workspace_roots")
    if real == "cursor" and isinstance(roots, list) and roots:
        return encode(roots[0])
    return b""


# The event


def conversation(event: "Event") -> str:
    """What tells an agent's threads apart; empty if it does not say."""
    for key in COPILOT_PARENT if subagent(event) else ():  # a sub-agent has a thread of its own
        if isinstance(parent := event.get(key), str) and parent:
            return parent
    for key in CONVERSATION_KEYS:
        value = event.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def subagent(event: "Event") -> str:
    """The sub-agent that an event is about; empty if it is about the agent itself."""
    found = event.get("agent_id", event.get("agentId"))
    return found if isinstance(found, str) else ""


def event_name(event: "Event") -> str:
    """The agent's own name for an event."""
    for key in ("hook_event_name", "hookEventName", "agent_action_name"):
        name = event.get(key)
        if isinstance(name, str):
            return name
    # Copilot says of its own events only what belongs to them.
    if "sessionId" not in event:
        return ""
    if "toolName" in event:
        if "toolResult" in event:
            return "postToolUse"
        if "error" in event:
            return "postToolUseFailure"
        return "permissionRequest" if "toolInput" in event else "preToolUse"
    if "stopReason" in event:
        return "agentStop"
    if "source" in event:
        return "sessionStart"
    if "prompt" in event:
        return "userPromptSubmitted"
    return "sessionEnd" if "reason" in event else ""


def spoken(event: "Event") -> "tuple[str, str, tuple[str, object, str, bool, str]]":
    """An event's name and conversation; and of a call the tool, what that was given, what the call is known
    by, whether the agent has named it, and the sub-agent."""
    name, thread = event_name(event), conversation(event)
    tool, given, call, key = tool_name(event, name), tool_input(event), call_id(event), ""
    if PHASES.get(name.lower()) in ("before", "after"):
        key = call_key(thread, call, tool, given)
    return name, thread, (tool, given, key, call != "", subagent(event))


def tool_name(event: "Event", name: str) -> str:
    """The tool an event is about; for those that are about one kind of tool only, that kind."""
    tool = event.get("tool_name", event.get("toolName"))
    if isinstance(tool, str):
        return tool
    if name == "afterFileEdit":
        return "Write"
    head, _, kind = name.partition("_")
    return kind if head in ("pre", "post") else ""


def tool_input(event: "Event") -> object:
    """What the tool was given: an object, or the text of a patch."""
    for key in ("tool_input", "tool_info", "toolArgs"):
        if key in event:
            given = event[key]
            if isinstance(given, str) and given.lstrip().startswith("{"):
                return parse(given.encode("utf-8", "surrogatepass"))
            return given
    return event  # Cursor's afterFileEdit has it beside the rest


def call_id(event: "Event") -> str:
    """What the agent calls a call; empty if it gives calls no names."""
    for key in CALL_KEYS:
        if isinstance(value := event.get(key), str) and value:
            return value
    return ""


def call_key(conversation: str, name: str, tool: str, given: object) -> str:
    """What a call is known by, from its beginning to its end: by its name, or by what the tool was given."""
    return f"{conversation}/{name or f'{tool}:{digest(given)}'}"


def digest(given: object) -> str:
    """The same for whoever has parsed the event, so without numbers: a hook does not read those."""
    if TYPE_CHECKING or __package__:
        from blueline.kernel import disk
    else:  # whoever asks for this has loaded it
        import disk
    if isinstance(given, dict):
        given = {key: value for key, value in given.items() if key not in ANSWERS}
    return disk.blob_id(b"\0".join(_spelled(given)))[:16]


def _spelled(value: object) -> "Iterator[bytes]":
    if isinstance(value, dict):
        for key in sorted(value):
            yield encode(key)
            yield from _spelled(value[key])
    elif isinstance(value, list):
        for item in value:
            yield from _spelled(item)
    else:
        yield encode(value) if isinstance(value, str) else b""
    yield b""


def _paths(given: object, folder: bytes) -> "list[bytes]":
    """The files an editing tool names."""
    found: list[bytes] = []
    if isinstance(given, str):
        found = patch_paths(given)
    elif isinstance(given, dict):
        for key in PATH_KEYS:
            if path := encode(given.get(key)):
                found.append(path)
                break
        for key in ("command", "input", "patchText", "patch"):
            text = given.get(key)
            if isinstance(text, str):
                found += patch_paths(text)
        several = given.get("replacements")
        if isinstance(several, list):
            found += [encode(one.get("filePath")) for one in several if isinstance(one, dict)]
    return list(dict.fromkeys([absolute(path, folder) for path in found if path]))


def patch_paths(patch: str) -> "list[bytes]":
    """The files that a patch adds, changes, deletes and moves to. No line of content begins like these."""
    return [
        encode(line.partition(": ")[2].strip())
        for line in patch.split("\n")
        if line.startswith("***") and line.startswith(PATCH_MARKERS)
    ]


# JSON and paths


class Shallow:
    """How to scan JSON for a few strings: `len` takes any number, also one too long for `int`."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float = parse_int = parse_constant = len


def scan(text: str) -> object:
    try:
        import _json
    except ImportError:  # a Python without the C accelerator
        import json

        return json.loads(text, strict=False)
    make_scanner: Any = _json.make_scanner
    value, end = make_scanner(Shallow)(text, 0)
    if end != len(text):
        raise ValueError("more than one value")
    return value


def parse(raw: bytes) -> "dict[str, object]":
    """The event as a dictionary; an empty one if it is anything else."""
    try:
        event = scan(raw.decode().strip())
    except (ValueError, StopIteration, SystemError, RecursionError, MemoryError):
        # SystemError: the C scanner looks for its exception in the json package, which is not loaded.
        return {}
    return event if isinstance(event, dict) else {}


def encode(path: object) -> bytes:
    """A path from an event as the file system has it; empty if it is no path."""
    if not isinstance(path, str):
        return b""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a character, in whose place the agent's own runtime puts U+FFFD
        return path.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def absolute(path: bytes, folder: bytes) -> bytes:
    if path.startswith(b"/"):
        return path
    return (folder if folder.startswith(b"/") else posix.getcwdb()) + b"/" + path
