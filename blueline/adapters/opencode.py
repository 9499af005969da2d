"""opencode: a plugin that tells the recorder what happens, and where it is installed.

opencode starts no commands; it loads JavaScript. The plugin hands each event on as JSON, in words of ours
where opencode has none, and if the recorder refuses a call it says so to opencode.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from blueline.adapters import settings_file
from blueline.adapters.dialect import Dialect, Event, text
from blueline.adapters.settings_file import SettingsUnusable
from blueline.model.notice import Notice, SubagentBegan, SubagentFinished, SubagentSaid

NAME = "opencode"
LABEL = "opencode"
PROGRAM = "opencode"
TRACES = (".opencode", "opencode.json", "opencode.jsonc")
FOLDER = ".config/opencode"
SHARED = True
ADVICE = ""
USER_ADVICE = ""


def _own(event: Event, name: str, conversation: str) -> Notice | None:
    """Sub-agents, in words of our plugin's."""
    subagent = text(event.get("agent_id"))
    if not subagent:
        return None
    if name == "subagent.message":
        about = {"type": text(event.get("agent_type")), "description": text(event.get("description"))}
        said = SubagentSaid(id=subagent, **{key: value or "" for key, value in about.items()})
        return SubagentBegan(conversation=conversation, subagent=said)
    return SubagentFinished(conversation=conversation, subagent=subagent) if name == "subagent.idle" else None


DIALECT = Dialect(
    replacing=frozenset({"edit", "multiedit"}),
    writing=frozenset({"write"}),
    patching=frozenset({"patch", "apply_patch"}),
    shells=frozenset({"bash"}),
    groups=(("message", "message_id"),),
    own=_own,
)
interpret = DIALECT.interpret

PLUGIN = """\
// Tells Blueline what happens here, so that you can review it. Made by `blueline init`, and taken away by
// `blueline init --uninstall`. It names the Python of one machine, and does nothing on others.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"

const WORDS = %(words)s
const RECORDER = %(recorder)s
const TIMEOUT_MS = 60000
const REFUSED = 2

export const Blueline = async ({ directory }) => {
  if (!existsSync(WORDS[0]) || !existsSync(RECORDER)) return {}

  // Never fails: whatever is wrong with the recorder, the work goes on.
  const record = (event) =>
    new Promise((resolve) => {
      const said = { code: 0, out: "", error: "" }
      try {
        const child = spawn(WORDS[0], WORDS.slice(1), { cwd: directory })
        // Not the timeout of `spawn`: that goes on, and keeps the program alive, for what never started.
        const timer = setTimeout(() => child.kill(), TIMEOUT_MS)
        const end = (code) => {
          clearTimeout(timer)
          resolve({ ...said, code })
        }
        child.on("error", () => end(0))
        child.on("close", end)
        child.stdout.on("data", (data) => (said.out += data))
        child.stderr.on("data", (data) => (said.error += data))
        child.stdin.on("error", () => {})
        child.stdin.end(JSON.stringify({ ...event, cwd: directory }))
      } catch {
        resolve(said)
      }
    })

  // A sub-agent has a session of its own; what it does belongs to the one that a person talks to.
  const started = new Map()
  const whose = (session) => {
    let root = session
    while (started.has(root)) root = started.get(root).parentID
    return root === session ? { session_id: session } : { session_id: root, agent_id: session }
  }

  return {
    "chat.message": async (input, output) => {
      if (started.has(input.sessionID))
        return void (await record({
          hook_event_name: "subagent.message",
          ...whose(input.sessionID),
          agent_type: input.agent,
          description: started.get(input.sessionID).title,
        }))
      const parts = (output.parts ?? []).filter((part) => part.type === "text" && !part.synthetic)
      const { code, out } = await record({
        hook_event_name: "chat.message",
        session_id: input.sessionID,
        message_id: input.messageID ?? output.message?.id,
        prompt: parts.map((part) => part.text).join("\\n"),
      })
      // What the recorder says is for the agent, and must not become a message of its own.
      if (code === 0 && out && parts.length) parts[parts.length - 1].text += "\\n\\n" + out
    },
    "tool.execute.before": async (input, output) => {
      const { code, error } = await record({
        hook_event_name: "tool.execute.before",
        ...whose(input.sessionID),
        tool_use_id: input.callID,
        tool_name: input.tool,
        tool_input: output.args,
      })
      if (code === REFUSED) throw new Error(error)
    },
    "tool.execute.after": async (input, output) => {
      await record({
        hook_event_name: "tool.execute.after",
        ...whose(input.sessionID),
        tool_use_id: input.callID,
        tool_name: input.tool,
        tool_input: input.args,
        tool_response: { title: output?.title, exit: output?.metadata?.exit },
      })
    },
    event: async ({ event }) => {
      const info = event.properties?.info
      if (event.type === "session.created" && info?.parentID) started.set(info.id, info)
      if (event.type !== "session.idle" && event.type !== "session.deleted") return
      const { agent_id, ...about } = whose(event.properties?.sessionID ?? info?.id)
      await record(
        agent_id
          ? { hook_event_name: "subagent.idle", ...about, agent_id }
          : { hook_event_name: event.type, ...about },
      )
    },
  }
}
"""


@dataclass(frozen=True, slots=True)
class PluginFile:
    """The plugin where opencode finds it, in a project or for all of a person's."""

    path: str = ".opencode/plugin/blueline.js"
    """As seen from the project's root; absolute if it is a person's own."""
    is_users: bool = False

    def for_user(self, place: Path) -> PluginFile:
        return PluginFile(str(place), is_users=True)

    def settings(self, root: Path) -> Path:
        return root / self.path

    def command(self, python: str = sys.executable) -> str:
        """What the plugin starts, as a shell command."""
        return settings_file.command(NAME, python, everywhere=self.is_users)

    def plugin(self, python: str = sys.executable) -> str:
        """The source of the plugin, which starts the recorder for each event."""
        words = settings_file.words(NAME, python, everywhere=self.is_users)
        recorder = str(settings_file.recorder())
        return PLUGIN % {"words": json.dumps(words, ensure_ascii=False), "recorder": json.dumps(recorder)}

    def install(self, root: Path, state: Path, python: str = sys.executable) -> bool:
        """Put the plugin where opencode finds it; False if it is there, and then nothing is written."""
        path = self.settings(root)
        text = self.plugin(python)
        settings_file.must_be_text(text)
        with settings_file.understandable(path):
            real = settings_file.real(root, path)
            before = settings_file.read(real)
            if before == text.encode():
                return False
            if before is not None and not _is_ours(before):
                raise SettingsUnusable(
                    f"{path} is not Blueline's, so it was left as it is", hint="give it another name"
                )
            settings_file.put(root, real, state, NAME, text.encode(), theirs=False)
        return True

    def uninstall(self, root: Path, state: Path | None) -> bool:
        """Take the plugin away; False if there was none."""
        path = self.settings(root)
        with settings_file.understandable(path):
            real = settings_file.real(root, path)
            former = settings_file.former(state, NAME)
            now = settings_file.read(real)
            ours = now is not None and _is_ours(now)
            if ours:
                real.unlink()
            settings_file.forget(root, state, NAME, former)
        return ours

    def installed(self, root: Path) -> bool:
        try:
            now = settings_file.read(self.settings(root))
        except OSError:
            return False
        return now is not None and _is_ours(now)


def _is_ours(data: bytes) -> bool:
    return settings_file.SIGNATURE.encode() in data


SETTINGS = PluginFile()
install, uninstall, installed = SETTINGS.install, SETTINGS.uninstall, SETTINGS.installed
command, settings, plugin = SETTINGS.command, SETTINGS.settings, SETTINGS.plugin
for_user = SETTINGS.for_user
