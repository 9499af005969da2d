"""The text of a suggestion as people read it in a comment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from blueline.forge.commands import MARK
from blueline.forge.line_hunks import LineHunk
from blueline.forge.suggestion import LINK, OfferedChange, Suggestion
from blueline.hosts.inert_text import code, fenced, named, plain, shown

ICONS = {"create": "✨", "modify": "📝", "delete": "🗑️", "rename": "🚚"}

MOST_HUNKS = 10
MOST_SHOWN = 3_000
"""Characters of a new file."""

MOST_LINE = 500
"""Characters of a line; a longer one is cut."""

MOST_BLOCK = 20_000
"""Characters of all the hunks of a suggestion."""

MOST_RATIONALE = 1_000
HEAD_DIGITS = 12

ACTIONS = """\
---
**Actions** for {head}:
- `/apply all` — apply all suggestions and commit
- `/apply 1,3,5`, `/apply 2-4` — apply specific suggestions by number
- `/reject`, `/reject 2 because …` — discard all suggestions, or some
- Reply with feedback to refine the suggestions

_A command may name the commit it is meant for: `/apply all at {short}`. If the branch has moved since this \
list, nothing is done and a new list comes._
"""


def block(suggestion: Suggestion, *, show_rationale: bool = True) -> str:
    """One suggestion, numbered, as a part of a comment."""
    return "\n".join(_block(suggestion, show_rationale=show_rationale)).rstrip("\n") + "\n"


def _block(suggestion: Suggestion, *, show_rationale: bool) -> Iterator[str]:
    change = suggestion.change
    place = _place(suggestion)
    came = f" from {named(change.old_path)}" if change.action == "rename" else ""
    title = f"{ICONS[change.action]} {named(change.path)}{place} ({change.action}{came})"
    yield f"### **{suggestion.number}.** {title}\n"
    yield from _body(suggestion)
    if suggestion.rationale and show_rationale:
        words = suggestion.rationale
        cut = words[:MOST_RATIONALE] + ("…" if len(words) > MOST_RATIONALE else "")
        yield f"> 💡 {plain(cut)}\n"
    if suggestion.risk != "low":
        why = "; ".join(plain(reason) for reason in suggestion.reasons)
        yield f"_Risk: **{suggestion.risk}**: {why}._\n"


def _place(suggestion: Suggestion) -> str:
    if suggestion.hunk is None or not suggestion.hunks:
        return ""
    (hunk,) = suggestion.hunks
    first, last = hunk.old_start + 1, max(hunk.old_end, hunk.old_start + 1)
    return f" line {first}" if first == last else f" lines {first}-{last}"


def _body(suggestion: Suggestion) -> Iterator[str]:
    change = suggestion.change
    if change.action == "delete":
        yield "_This file will be deleted._\n"
    elif change.texts is None:
        yield f"_{_not_text(change)}_\n"
    elif change.action == "create":
        yield from _whole(change)
    else:
        yield from diff_blocks(suggestion.hunks)
        yield from _mode(change)
    if change.action == "create" and change.texts is not None:
        yield from _mode(change)


def _not_text(change: OfferedChange) -> str:
    assert change.new is not None
    if change.new.mode == LINK:
        return f"A link to {code(change.new.content.decode('utf-8', 'replace'))}."
    before = f"{len(change.old.content):,}" if change.old is not None else "0"
    return f"This file is not text: {before} bytes become {len(change.new.content):,}."


def _mode(change: OfferedChange) -> Iterator[str]:
    old, new = change.old, change.new
    if new is not None and new.mode & 0o111 and (old is None or not old.mode & 0o111):
        yield "_The file becomes executable._\n"
    elif new is not None and old is not None and old.mode & 0o111 and not new.mode & 0o111:
        yield "_The file is no longer executable._\n"


def _whole(change: OfferedChange) -> Iterator[str]:
    assert change.texts is not None
    text = change.texts[1]
    if not text:
        yield "_An empty file._\n"
        return
    name = change.path.rpartition("/")[2]
    ending = name.rpartition(".")[2] if "." in name else ""
    language = ending if ending.isascii() and ending.isalnum() else "text"
    yield fenced(shown(text[:MOST_SHOWN]), language)
    if len(text) > MOST_SHOWN:
        count = text.count("\n") + (not text.endswith("\n"))
        yield f"\n_… shortened: the file has {count:,} lines, {len(text):,} characters in all._"
    yield ""


def diff_blocks(hunks: Sequence[LineHunk]) -> Iterator[str]:
    """Hunks as diffs, at most ten of them and no more than fits."""
    room = MOST_BLOCK
    shown_hunks = 0
    for hunk in hunks[:MOST_HUNKS]:
        text = hunk_diff(hunk, room)
        if shown_hunks and len(text) > room:
            break
        yield fenced(text, "diff")
        yield ""
        shown_hunks += 1
        room -= len(text)
        if room <= 0:
            break
    if more := len(hunks) - shown_hunks:
        yield f"_...and {more} more {'hunk' if more == 1 else 'hunks'}._\n"


def hunk_diff(hunk: LineHunk, room: int = MOST_BLOCK) -> str:
    """One hunk, a line for each line; shortened with a word on how much is missing."""
    lines = [f"@@ -{_range(hunk.old_start, hunk.old_end)} +{_range(hunk.new_start, hunk.new_end)} @@"]
    used = len(lines[0])
    for sign, line in _signed(hunk):
        text = _line(sign, line)
        if used + len(text) > room and len(lines) > 1:
            left = len(hunk.old) + len(hunk.new) - len(lines) + 1
            lines.append(f"… {left:,} more lines")
            break
        lines.append(text)
        used += len(text) + 1
    return "\n".join(lines)


def _range(start: int, end: int) -> str:
    """Lines as a diff names them: from one; an empty side by the line before."""
    count = end - start
    return f"{start + (count > 0)}" + ("" if count == 1 else f",{count}")


def _signed(hunk: LineHunk) -> Iterator[tuple[str, str]]:
    for line in hunk.old:
        yield "-", line
    for line in hunk.new:
        yield "+", line


def _line(sign: str, line: str) -> str:
    body = line.removesuffix("\n")
    cut = body if len(body) <= MOST_LINE else f"{body[:MOST_LINE]}… ({len(body):,} characters)"
    text = f"{sign} {shown(cut)}" if body else sign
    return text if line.endswith("\n") else f"{text}\n\\ No newline at end of file"


def actions(head: str, branch: str) -> str:
    """What can be answered."""
    short = head[:HEAD_DIGITS]
    return ACTIONS.format(head=f"{code(branch)} at `{short}`", short=short)


def marker(offer: str, part: int) -> str:
    """Tells our comments from others', and one part from the next; nobody sees it."""
    return f"{MARK} offer={offer} part={part} -->"


def summary(suggestions: Iterable[Suggestion]) -> str:
    """How many suggestions there are, in one line."""
    every = list(suggestions)
    files = len({suggestion.path for suggestion in every})
    count = f"{files} {'file' if files == 1 else 'files'}"
    if len(every) != files:
        count = f"{len(every)} suggestions in {count}"
    return f"_{count} · Review each change and reply with `/apply all` or `/apply 1,3` to apply selectively._"
