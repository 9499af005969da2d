"""Which folders go with the last file in them: those that came with what is taken back."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

from blueline.desk.project_store import Store
from blueline.model.answer import ACCEPTED, IN_EFFECT
from blueline.review.file import File
from blueline.review.setting import ABSENT, FOLDER, Node, Setting


class EmptiedFolders:
    """What is known of the folders above some paths, once a decision is carried out.

    A folder that somebody made under review has no reason to be there when nothing is in it any more, unless
    its making was accepted, or it stands for itself; nor has one that went with a file whose deletion counts.
    One that was there before is not ours to remove.
    """

    def __init__(self, store: Store, after: Mapping[int, File], paths: Iterable[str]) -> None:
        self._made: set[str] = set()
        self._kept: set[str] = set()
        self._gone: set[str] = set()
        self._occupied: set[str] = set()
        tops = {path.partition("/")[0] for path in paths if "/" in path}
        if not tops:
            return
        for number, places in store.index.files.places():
            if number in after or any(path.partition("/")[0] in tops for path in places):
                file = after.get(number) or store.ledger.file(number)
                if file is not None:
                    self._learn(file)

    def _learn(self, file: File) -> None:
        for setting in (*file.nodes, *file.paths):
            if not setting.missing or setting.value == ABSENT:
                continue
            made = {folder for folder in _above(_place(file, setting)) if _is_below(folder, setting.missing)}
            if setting.value == FOLDER:
                made.add(_place(file, setting))
            (self._kept if setting.mark.state == ACCEPTED else self._made).update(made)
        self._gone |= _went_with(file)
        if file.live.node == FOLDER:
            self._occupied.add(file.live.path)

    def outermost(self, path: str) -> str:
        """The outermost folder to remove, as far as it is empty, when a file goes from a path."""
        found = ""
        for folder in reversed(_above(path)):
            is_made = folder in self._made and folder not in self._kept
            if folder in self._occupied or not (is_made or folder in self._gone):
                break
            found = folder
        return found


def _place(file: File, setting: Setting) -> str:
    """Where a file was when a setting came."""
    if not isinstance(setting.value, Node):
        return str(setting.value)
    before = [one for one in file.paths if one.mark.op <= setting.mark.op]
    return str((before or file.paths)[-1].value)


def _above(path: str) -> list[str]:
    names = path.split("/")
    return ["/".join(names[:count]) for count in range(1, len(names))]


def _is_below(folder: str, outermost: str) -> bool:
    return f"{folder}/".startswith(f"{outermost}/")


def _went_with(file: File) -> set[str]:
    """The folders that went with a file when it was deleted or renamed, if that counts."""
    nodes = [setting for setting in file.nodes if setting.mark.state in IN_EFFECT]
    if file.live.node == ABSENT and nodes and FOLDER in (setting.value for setting in file.nodes):
        # It stood for itself, and was removed: what may stand in it again does not bring it back for good.
        gone = nodes[-1].missing or _place(file, nodes[-1])
        way = [*_above(_place(file, nodes[-1])), _place(file, nodes[-1])]
        return {one for one in way if _is_below(one, gone)}
    if file.live.node == ABSENT and nodes and nodes[-1].value == ABSENT and nodes[-1].missing:
        return {one for one in _above(_place(file, nodes[-1])) if _is_below(one, nodes[-1].missing)}
    paths = [setting for setting in file.paths if setting.mark.state in IN_EFFECT]
    return {
        folder
        for left, came in pairwise(paths)
        if came.gone
        for folder in _above(str(left.value))
        if _is_below(folder, came.gone)
    }
