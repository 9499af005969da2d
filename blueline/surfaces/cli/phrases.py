"""Small phrases that several answers are made of."""

from __future__ import annotations

from blueline.surfaces.cli.terminal import Screen, columns, first_line, fitted, safe, visible

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Sequence

    from blueline.contract.cells import HunkCellDocument
    from blueline.contract.gate import OverrideDocument
    from blueline.contract.groups import CountedDocument, CountsDocument
    from blueline.contract.hunks import HunkDocument
    from blueline.contract.log import DecisionLogged
    from blueline.contract.turns import CallDocument, SubagentDocument

LONGEST_EXCERPT = 400
LONGEST_CONTEXT = 16
SHARE_TO_SHOW = 0.6
"""When more of a line than this has changed, it is shown from its start."""

SHORT_COMMIT = 10
NO_PROMPT = "(no prompt was seen)"

STATUS_STYLES = {"pending": "warn", "accepted": "good", "rejected": "bad", "mixed": "warn"}


def count(number: int, word: str) -> str:
    """`1 hunk`, `2 hunks`."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def counted(counts: CountsDocument) -> str:
    """`5 hunks in 3 files, by 4 calls in 2 turns`."""
    text = f"{count(counts['hunks'], 'hunk')} in {count(counts['files'], 'file')}"
    if counts["calls"]:
        text += f", by {count(counts['calls'], 'call')} in {count(counts['turns'], 'turn')}"
    return text


def some(values: Sequence[object], most: int) -> str:
    """`a, b and 7 more`."""
    return _and_more(safe(", ".join(map(str, values[:most]))), len(values) - most)


def listed(words: Sequence[str], most: int) -> str:
    """The same of words that are safe to show."""
    return _and_more(", ".join(words[:most]), len(words) - most)


def _and_more(shown: str, more: int) -> str:
    return f"{shown} and {more:,} more" if more > 0 else shown


def tallies(row: CountedDocument) -> str:
    """`2 pending, 1 accepted`."""
    counts = row["counts"]
    return ", ".join(f"{number:,} {safe(word)}" for word, number in counts.items() if number) or "no hunks"


def subagent(row: SubagentDocument) -> str:
    """What a sub-agent is called: `general-purpose: the tests`."""
    return (
        ": ".join(part for part in (safe(row["type"]), first_line(row["description"])) if part) or "sub-agent"
    )


def verdict(decision: DecisionLogged) -> str:
    """What was decided, in words."""
    from blueline.model.verdict import BY_GIT, BY_HAND  # the log alone comes here

    said = decision["verdict"]
    if said == BY_HAND:
        return f"{'put' if decision['returns'] else 'taken'} back by hand, in the file itself:"
    if said == BY_GIT:
        return "git brought back" if decision["returns"] else "git took away"
    return f"{visible(said)} of {safe(decision['of'])}:" if decision["of"] else visible(said)


def hint(text: str, screen: Screen) -> str:
    """The last line of every answer: what to do next. `text` holds only what we wrote ourselves."""
    return screen.paint(f"next: {text}", "dim")


def status(word: str, screen: Screen, *, width: int = 0) -> str:
    return screen.paint(visible(word).ljust(width), STATUS_STYLES.get(word, ""))


def moment(at: object) -> str:
    """A time as the person's clock shows it; empty when it is not known."""
    if not isinstance(at, str):
        return ""
    from datetime import datetime

    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return visible(at)


def called(row: CallDocument) -> str:
    """`Edit src/a.py`, with its outcome when that is not the usual one."""
    outcome = "still running" if row["ended"] is None else row["outcome"]
    about = f" ({safe(outcome)})" if outcome not in ("", "done") else ""
    return f"{safe(row['tool'])} {safe(row['path'])}".strip() + about


def overridden(override: OverrideDocument) -> str:
    """Who opened the gate, why, and for how long."""
    until = moment(override["expires"])
    return f"overridden by {safe(override['by'])} until {until}: {safe(override['reason'])}"


def who(kind: str, name: str = "") -> str:
    """Whoever it was, as a person would say it."""
    if kind == "agent":
        return safe(name) or "an agent"
    phrases = {
        "person": "you",
        "external": "you (outside any call)",
        "shared": "several calls at once",
        "unknown": "somebody unknown",
    }
    return phrases.get(kind, visible(kind))


def place(hunk: HunkDocument) -> str:
    """`src/a.py:3`, or the path alone for a change of the whole file."""
    path = safe(hunk["path"])
    if cell := hunk.get("cell"):
        line = f":{hunk['new_start'] or 1}" if cell["change"] == "edited" else ""
        return f"{path}#{cell_name(cell)}{line}"
    return f"{path}:{hunk['new_start'] or 1}" if is_in_text(hunk) else path


def cell_name(cell: HunkCellDocument) -> str:
    """A cell as it can be selected: by its id, or by its number."""
    return safe(cell["id"]) or str(cell["index"])


def is_in_text(hunk: HunkDocument) -> bool:
    """Whether lines of the file say where it is; of a notebook they do not."""
    return hunk["kind"] == "modify" and "cell" not in hunk


def sizes(hunk: HunkDocument) -> str:
    """`+3 -1`, in lines; empty for what has no lines."""
    added, removed = hunk["new_lines"], hunk["old_lines"]
    parts = [f"+{added:,}"] if added else []
    parts += [f"-{removed:,}"] if removed else []
    return " ".join(parts)


def remarks(hunk: HunkDocument, *, short: bool = False) -> list[str]:
    """What sets a hunk apart from the others."""
    found = []
    if hunk["held"]:
        found.append("held" if short else "held: not in the file until it is accepted")
    if hunk["again"]:
        name = safe(hunk["again"])
        found.append("proposed again" if short else f"proposed again: {name}, the same change, was rejected")
    if hunk["queued"]:
        name = safe(hunk["queued"])
        found.append("queued" if short else f"queued: {name} is carried out when the agent's call has ended")
    if hunk["committed"]:
        name = safe(hunk["committed"])[:SHORT_COMMIT]
        found.append(
            "committed" if short else f"committed: {name} has it as it is; accept --committed keeps it"
        )
    if hunk["modified"]:
        found.append(
            "edited since" if short else "edited since; what others typed in it stays, unless you say so"
        )
    cell = hunk.get("cell")
    if cell and (change := cell["change"]) in ("type", "id", "metadata", "attachments"):
        found.append(safe(change) if short else f"the cell's {safe(change)} changed")
    if "cell" in hunk and cell is None and hunk["kind"] == "modify":
        found.append("metadata" if short else "the notebook's own metadata changed")
    if reason := hunk.get("as_text"):
        why = f"shown as text: {safe(reason)}"
        found.append(why if short else f"a notebook {why}")
    if hunk["endings"]:
        found.append("line ends" if short else "nothing but line ends changed")
    if not hunk["complete"]:
        found.append("before unknown" if short else "could not look: the bytes before are not known")
    if short and hunk["builds_on"]:
        found.append(f"on {', '.join(map(safe, hunk['builds_on']))}")
    return found


def excerpt(hunk: HunkDocument, screen: Screen, width: int) -> str:
    """The first words that changed, with a little of what stands before them."""
    if hunk["kind"] == "rename":
        return _painted([(f"from {safe(hunk.get('from'))}", "")], screen, width)
    # Bytes that are not text have no words to show.
    old, new = hunk["old"] or "", hunk["new"] or ""
    if old == new:
        return screen.paint(fitted(visible(_first_solid(new.split("\n")).strip()), width), "dim")
    before, after, is_all = _first_difference(old, new)
    context = ""
    if before and after:
        context, before, after = _cut(before, after)
    more = [("  …", "dim")] if context and not is_all else []
    before, after = visible(before.strip()), visible(after.strip())
    if context and (not (before and after) or before == after):
        context = context.rstrip() + " "
    parts = [(context, "dim")]
    if before and before == after:
        parts += [("blanks before ", "dim"), (after, "")]
    elif before and after:
        parts += [(before, "removed"), (" → ", ""), (after, "added")]
    elif before or after:
        parts += [(f"- {before}", "removed") if before else (f"+ {after}", "added")]
    elif not context:
        parts = [_blank_lines(old, new)]
    return _painted([*parts, *more], screen, width)


def _blank_lines(old: str, new: str) -> tuple[str, str]:
    """What is said where no word changed."""
    more = new.count("\n") - old.count("\n")
    if more == 0:
        return "blanks only", "dim"
    lines = count(abs(more), "blank line")
    return (f"+ {lines}", "added") if more > 0 else (f"- {lines}", "removed")


def _first_difference(old: str, new: str) -> tuple[str, str, bool]:
    """The first lines that differ, empty for a side that has none there; and whether they are all."""
    ours, theirs = old.split("\n"), new.split("\n")
    head, tail = _shared(ours, theirs)
    differing = [lines[head : len(lines) - tail] for lines in (ours, theirs)]
    before, after = map(_first_solid, differing)
    is_all = all(sum(1 for line in lines if line.strip()) <= 1 for lines in differing)
    if max(len(before), len(after)) > LONGEST_EXCERPT:
        # A change far right is what there is to see, not the start of the line.
        same = shared_start(before, after)
        start = max(same - LONGEST_CONTEXT, 0)
        rest = shared_start(before[:same:-1], after[:same:-1]) - LONGEST_CONTEXT
        before, after = (line[start : len(line) - max(rest, 0)] for line in (before, after))
    return before[:LONGEST_EXCERPT], after[:LONGEST_EXCERPT], is_all


def shared_start(one: str, other: str) -> int:
    """The length of the common start. Halving, because comparing slices is what Python does fast."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _shared(ours: list[str], theirs: list[str]) -> tuple[int, int]:
    """How many items two lists have in common at the start, and of the rest at the end."""
    shorter = min(len(ours), len(theirs))
    head = 0
    while head < shorter and ours[head] == theirs[head]:
        head += 1
    tail = 0
    while tail < shorter - head and ours[-1 - tail] == theirs[-1 - tail]:
        tail += 1
    return head, tail


def _first_solid(lines: list[str]) -> str:
    return next((line for line in lines if line.strip()), "")


def _cut(before: str, after: str) -> tuple[str, str, str]:
    """Two lines that share most of their words: the last of those they start with, and what differs."""
    # Few lists come here, and it takes longer to load than most of them.
    from blueline.diff.word_list import words

    ours, theirs = words(before), words(after)
    head, tail = _shared(ours, theirs)
    if tail and not "".join(ours[head : len(ours) - tail] + theirs[head : len(theirs) - tail]).strip():
        tail -= 1  # the word that stands after blanks that differ
    gone, came = "".join(ours[head : len(ours) - tail]), "".join(theirs[head : len(theirs) - tail])
    if max(len(gone), len(came)) > SHARE_TO_SHOW * max(len(before), len(after)):
        return "", before, after
    context, cut = "", ""
    for word in reversed(ours[:head]):
        if len(context) + len(word) > LONGEST_CONTEXT:
            cut = "…"
            break
        context = word + context
    context = visible(context.lstrip())
    return (cut + context, gone, came) if context else ("", before, after)


def _painted(parts: list[tuple[str, str]], screen: Screen, width: int) -> str:
    """Parts one after the other, cut to a width; each has gone through `visible`."""
    line = ""
    for text, style in parts:
        shown = fitted(text, width)
        line += screen.paint(shown, style)
        if shown != text:
            break
        width -= columns(text)
    return line
