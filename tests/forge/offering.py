"""Builders: changes and suggestions, and what GitHub does with a block."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from blueline.diff.unified import PatchSide as UnifiedSide
from blueline.diff.unified import unified
from blueline.forge.offer import Offer
from blueline.forge.suggestion import FILE, GitContent, OfferedChange, Suggestion


def side(content: str | bytes | None, mode: int = FILE) -> GitContent | None:
    if content is None:
        return None
    return GitContent(mode=mode, content=content.encode() if isinstance(content, str) else content)


def change(old: str | bytes | None, new: str | bytes | None, path: str = "a.txt") -> OfferedChange:
    return OfferedChange(path=path, old_path=path, old=side(old), new=side(new))


def suggestion(
    old: str | bytes | None,
    new: str | bytes | None,
    path: str = "a.txt",
    number: int = 1,
    rationale: str = "",
) -> Suggestion:
    return Suggestion(number=number, change=change(old, new, path), rationale=rationale)


def patch_of(base: str, head: str) -> str:
    """The diff of a file in a pull request as GitHub gives it: from the first hunk on."""
    text = unified(UnifiedSide("a", base, FILE), UnifiedSide("a", head, FILE))
    return text[text.index("@@") :].removesuffix("\n") if "@@" in text else ""


_FENCE = re.compile(r"(`{3,})suggestion")


def applied(content: str, body: str, first: int, last: int) -> str:
    """A file after the button: its lines first to last, from one, replaced by the block's text."""
    lines = body.split("\n")
    begin = next(number for number, line in enumerate(lines) if _FENCE.fullmatch(line))
    found = _FENCE.fullmatch(lines[begin])
    assert found
    # Markdown: the block ends at the first line that is nothing but at least as many backticks.
    closing = re.compile(rf" {{0,3}}`{{{len(found[1])},}}[ \t]*")
    end = next(n for n in range(begin + 1, len(lines)) if closing.fullmatch(lines[n]))
    file = content.split("\n")
    file[first - 1 : last] = lines[begin + 1 : end]
    return "\n".join(file)


CHANGES: dict[str, str | None] = {
    "a.py": "one\nTWO\nthree\n",
    "b.py": None,
    "new/d.txt": "brand new\r\nno end",
}


@dataclass
class Files:
    """The files of a commit, and its folders."""

    found: dict[str, GitContent] = field(default_factory=dict)

    def read(self, path: str) -> GitContent | None:
        return self.found.get(path)

    def is_folder(self, path: str) -> bool:
        return any(name.startswith(f"{path}/") for name in self.found)


def files(**contents: str | bytes) -> Files:
    made = {name.replace("__", "."): side(content) for name, content in contents.items()}
    return Files({name: one for name, one in made.items() if one is not None})


def offer_of(*changes: OfferedChange, per_hunk: bool = False) -> Offer:
    suggestions: list[Suggestion] = []
    for one in changes:
        for hunk in range(len(one.hunks)) if per_hunk and len(one.hunks) > 1 else (None,):
            suggestions.append(Suggestion(number=len(suggestions) + 1, change=one, hunk=hunk))
    return Offer(
        repository="a/b", number=5, is_pull=False, branch="main", head="0", suggestions=tuple(suggestions)
    )
