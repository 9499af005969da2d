"""Edges towards agents: one module for each.

Nothing is loaded here before it is needed: the hook comes this way, and most commands have no new message to
understand.
"""

from __future__ import annotations

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from _typeshed import StrPath

    from blueline.adapters.adapter import Adapter as Adapter
    from blueline.model.notice import Notice


# What no command but ours does, with any interpreter, from any folder.
SIGNATURE = "import recorder;recorder.main("


def _module(name: str) -> Callable[[], Adapter]:
    loaded: list[Adapter] = []

    def load() -> Adapter:
        if not loaded:  # asked for once for each message
            from importlib import import_module

            loaded.append(import_module(f"blueline.adapters.{name}"))
        return loaded[0]

    return load


ADAPTERS: dict[str, Callable[[], Adapter]] = {
    "claude-code": _module("claude_code"),
    "codex": _module("codex"),
    "gemini": _module("gemini"),
    "cursor": _module("cursor"),
    "opencode": _module("opencode"),
    "copilot": _module("copilot"),
    "windsurf": _module("windsurf"),
}


OWN_MARK = b'{"blueline":1,'
"""How Blueline's own messages begin. No agent's own payload does."""


def interpret(agent: str, raw: bytes) -> Iterable[Notice]:
    """What a message of an agent says happened. Never fails: what cannot be understood is `Nothing`."""
    if raw.startswith(OWN_MARK):
        # Said by the SDK or the MCP server, of an agent of any name: also of one that has its own adapter.
        from blueline.adapters import sdk_messages

        return sdk_messages.interpret(raw)
    if agent not in ADAPTERS:
        from blueline.model.notice import Nothing

        return (Nothing(why=f"no adapter is called {agent!r}"),)
    return ADAPTERS[agent]().interpret(raw)


def missing(root: StrPath, state: StrPath) -> list[str]:
    """The agents whose hooks were installed in a project, and are not all there any more.

    Every command asks. So the settings are not understood here, only searched.
    """
    import json
    import os

    from blueline.kernel.plain_file import read_plain

    found = []
    for name, load in ADAPTERS.items():
        try:
            kept = json.loads(read_plain(os.path.join(state, f"installed-{name}.json")))
            there = read_plain(os.path.join(root, kept["path"])).count(SIGNATURE.encode()) >= kept["hooks"]
        except (FileNotFoundError, NotADirectoryError) as error:
            if str(error.filename).startswith(os.fspath(state)):
                continue
            there = False
        except (OSError, ValueError, TypeError, KeyError):  # not readable, or from before there were several
            from pathlib import Path

            there = load().installed(Path(root))
        if not there:
            found.append(name)
    return found


def record(agent: str) -> None:
    """Write down the event on standard input, and end the process. Returns only if no agent has that name."""
    if agent not in ADAPTERS:
        import contextlib
        import os

        said = f"blueline: no agent is called {agent!r}; nothing was recorded\n"
        with contextlib.suppress(
            OSError
        ):  # not through a buffer, which would be flushed once more at the end
            os.write(2, said.encode("utf-8", "backslashreplace"))
        return
    from blueline.hook import recorder

    recorder.main(agent)
