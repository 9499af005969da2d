"""What a held edit would make of a file."""

import json

from blueline.model.edit import Replacement
from blueline.model.notice import CallBegan


class CannotPropose(Exception):
    """Why the edit that an agent wanted cannot be offered; its own tool would have refused it too."""


def proposed(notice: CallBegan, text: str | None) -> str:
    """The text that the call would have left, `text` being what is there now (None: no file)."""
    if notice.content is not None:
        return notice.content
    if notice.cell is not None:
        return _with_cell(text, notice.cell)
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


def _with_cell(text: str | None, cell: dict[str, object]) -> str:
    try:
        notebook = json.loads(text or "")
        cells = notebook["cells"]
        place = next((n for n, one in enumerate(cells) if one.get("id") == cell.get("cell_id")), None)
        match cell.get("edit_mode", "replace"):
            case "insert":
                kind = cell.get("cell_type") or "code"
                new: dict[str, object] = {
                    "cell_type": kind,
                    "metadata": {},
                    "source": cell.get("new_source", ""),
                }
                if kind == "code":
                    new |= {"execution_count": None, "outputs": []}
                cells.insert(0 if place is None else place + 1, new)
            case _ if place is None:
                raise CannotPropose("there is no such cell")
            case "delete":
                del cells[place]
            case _:
                cells[place]["source"] = cell.get("new_source", "")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CannotPropose("the file is not a notebook") from error
    return json.dumps(notebook, indent=1, ensure_ascii=False)
