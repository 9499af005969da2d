"""Where somebody is who goes through changes: what comes next, what was seen, what is new."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from blueline.desk.muted_files import is_muted
from blueline.model.ids import whole_of
from blueline.surfaces.cli.same_hunks import same_as
from blueline.surfaces.cli.walk_rows import Lines, parts, rows
from blueline.surfaces.cli.walk_words import Scope

if TYPE_CHECKING:
    from blueline.contract.hunks import HunkDocument


class WalkItem(NamedTuple):
    """A change, or lines of it."""

    hunk: HunkDocument
    lines: Lines | None = None

    @property
    def key(self) -> tuple[bool, str, int]:
        """Its place in the order of `list` (rule B11), with what nobody reads at the end."""
        line = self.lines[0] if self.lines else self.hunk.get("place", self.hunk["new_start"])
        return is_unread(self.hunk), self.hunk["path"], line


def is_unread(hunk: HunkDocument) -> bool:
    """Whether nobody reads it: bytes, and what programs make."""
    is_text = hunk["old"] is not None and hunk["new"] is not None
    is_bytes = hunk["kind"] == "binary" or (hunk["kind"] in ("create", "delete") and not is_text)
    return is_bytes or is_muted(hunk["path"])


def looks(hunk: HunkDocument) -> object:
    """Equal as long as somebody would see the same of it."""
    return hunk["path"], hunk["kind"], hunk["old"], hunk["new"], hunk["held"], hunk.get("from")


class WalkQueue:
    """The undecided changes in order, and a place among them."""

    def __init__(self, found: Sequence[HunkDocument]) -> None:
        self.items = [WalkItem(hunk) for hunk in sorted(found, key=is_unread)]
        self.at = 0
        self.viewed: set[str] = set()
        """Files that are passed over, until something new comes in them."""
        self._known = {whole_of(hunk["id"]) for hunk in found}
        self._seen: dict[str, object] = {}
        self._split: set[str] = set()

    @property
    def current(self) -> WalkItem | None:
        return self.items[self.at] if self.items else None

    @property
    def here(self) -> WalkItem:
        """The current one, where there is known to be one."""
        return self.items[self.at]

    def of(self, scope: Scope) -> list[HunkDocument]:
        """The changes that a scope takes in, from where somebody is."""
        hunk = self.here.hunk
        match scope:
            case "file":
                return [one for one in self.hunks if one["path"] == hunk["path"]]
            case "turn" if hunk["turn"]:
                return [one for one in self.hunks if one["turn"] == hunk["turn"]]
            case "same":
                return same_as(hunk, self.hunks)
            case _:
                return [hunk]

    @property
    def hunks(self) -> list[HunkDocument]:
        """The hunks in their order, each once, also one that is walked through in parts."""
        return [*{item.hunk["id"]: item.hunk for item in self.items}.values()]

    def see(self, shown: Iterable[HunkDocument]) -> None:
        """Somebody has looked at these."""
        self._seen |= {hunk["id"]: looks(hunk) for hunk in shown}

    def unseen(self, some: Iterable[HunkDocument]) -> list[HunkDocument]:
        """Those that nobody has looked at as they are now."""
        return [hunk for hunk in some if self._seen.get(hunk["id"]) != looks(hunk)]

    def split(self, into: Sequence[Lines]) -> None:
        """Go through the current change part by part."""
        hunk = self.items[self.at].hunk
        self._split |= {whole_of(hunk["id"])}
        self.items[self.at : self.at + 1] = [WalkItem(hunk, lines) for lines in into]

    def step(self, by: int) -> bool:
        """Go on, or back, past the files that are viewed; whether that began again at the other end."""
        if not self.items:
            return False
        places = [*range(len(self.items))]
        order = (
            places[self.at + 1 :] + places[: self.at + 1]
            if by > 0
            else places[: self.at][::-1] + places[self.at :][::-1]
        )
        before = self.at
        self.at = next((at for at in order if self.items[at].hunk["path"] not in self.viewed), order[0])
        return self.at <= before if by > 0 else self.at >= before

    def view(self) -> bool:
        """Leave the file for now; whether there is another."""
        self.viewed |= {self.items[self.at].hunk["path"]}
        self.step(1)
        return self.items[self.at].hunk["path"] not in self.viewed

    def go_to(self, names: Iterable[str]) -> None:
        """Go to the first of some changes, or of what they were split into."""
        wanted = {whole_of(name) for name in names}
        places = [at for at, item in enumerate(self.items) if whole_of(item.hunk["id"]) in wanted]
        self.at = places[0] if places else self.at

    def renew(self, found: Sequence[HunkDocument]) -> list[HunkDocument]:
        """Take up what is undecided now, and stay in place; the changes that are new."""
        here = self.current
        known: dict[str, list[WalkItem]] = {}
        for item in self.items:
            known.setdefault(item.hunk["id"], []).append(item)
        items: list[WalkItem] = []
        for hunk in sorted(found, key=is_unread):
            before = known.get(hunk["id"], [])
            is_same = bool(before) and looks(before[0].hunk) == looks(hunk)
            # Parts are told by their lines, and these may be elsewhere by now.
            stays = is_same and before[0].hunk["new_start"] == hunk["new_start"]
            items += [WalkItem(hunk, one.lines) for one in before] if stays else self._parted(hunk)
        self.items = items
        self.at = self._place(here)
        news = [hunk for hunk in found if whole_of(hunk["id"]) not in self._known]
        self._known |= {whole_of(hunk["id"]) for hunk in news}
        self.viewed -= {hunk["path"] for hunk in news}
        return news

    def _parted(self, hunk: HunkDocument) -> list[WalkItem]:
        """A change, or the parts of it, if it is what is left of one that was split."""
        into = parts(rows(hunk)) if whole_of(hunk["id"]) in self._split else []
        return [WalkItem(hunk, lines) for lines in into] if len(into) > 1 else [WalkItem(hunk)]

    def _place(self, here: WalkItem | None) -> int:
        if here is None:
            return 0
        same = [at for at, item in enumerate(self.items) if item.hunk["id"] == here.hunk["id"]]
        exact = [at for at in same if self.items[at].lines == here.lines]
        later = [at for at, item in enumerate(self.items) if item.key >= here.key]
        return (exact or same or later or [0])[0]
