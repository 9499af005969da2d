"""What a held edit would make of a file."""

from collections.abc import Iterable

from blueline.diff.apply_patch import PatchFails, patched
from blueline.model.edit import Replacement
from blueline.model.notice import CallBegan, CallFinished
from blueline.model.patch import Patch
from blueline.review.medium.choice import with_section
from blueline.review.medium.medium import NoSuchSection


class CannotPropose(Exception):
    """Why the edit that an agent wanted cannot be offered; its own tool would have refused it too."""


def patch_for(patches: Iterable[Patch], path: str) -> Patch | None:
    """The part of a patch that is about a file. It may name it from another folder than we do."""
    for patch in patches:
        named = patch.path.removeprefix("./")
        if path == named or path.endswith(f"/{named}") or named.endswith(f"/{path}"):
            return patch
    return None


def moved_path(patch: Patch, path: str) -> str:
    """Where a patch moves the file that it is about, in the same words as `path`."""
    named, target = patch.path.removeprefix("./"), patch.moved_to.removeprefix("./")
    if path.endswith(named):
        return path.removesuffix(named) + target
    return target.removeprefix(named.removesuffix(path))


def proposed(notice: CallBegan | CallFinished, text: str | None, patch: Patch | None = None) -> str:
    """The text that the call would have left, `text` being what is there now (None: no file)."""
    if patch is not None:
        try:
            found = patched(text, patch)
        except PatchFails as error:
            raise CannotPropose(str(error)) from error
        if found is None:
            raise CannotPropose("it deletes the file")
        return found
    if notice.content is not None:
        return notice.content
    if notice.section is not None:
        return _with_section(text, notice.section)
    for step in notice.edits or ():
        text = _replaced(text, step)
    if text is None:
        raise CannotPropose("it names neither an edit nor a content")
    return text


def _replaced(text: str | None, step: Replacement) -> str:
    if text is None:
        if step.old:
            raise CannotPropose("there is no such file")
        return step.new
    old, new = step.old, step.new
    if old not in text and "\r\n" in text:
        # Agents speak of line feeds whatever stands on disk.
        old, new = (side.replace("\r\n", "\n").replace("\n", "\r\n") for side in (old, new))
    count = text.count(old) if old else 0
    if count == 0:
        raise CannotPropose("the text to replace is not in the file")
    if count > 1 and not step.every:
        raise CannotPropose(f"the text to replace stands {count} times in the file")
    return text.replace(old, new)


def _with_section(text: str | None, wish: dict[str, object]) -> str:
    try:
        return with_section(text or "", wish)
    except NoSuchSection as error:
        raise CannotPropose(str(error)) from error
