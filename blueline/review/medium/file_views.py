"""How the hunks of a file are shown: by the medium that it was ever reviewed in."""

from blueline.model.piece import Piece
from blueline.review.cells.named_cells import named_cell
from blueline.review.cells.readable_patch import cell_patch
from blueline.review.cells.views import CellViews, why_not_cells
from blueline.review.deciding.hunks import Hunk
from blueline.review.deciding.selected_pieces import pieces_between
from blueline.review.deciding.sides import sides_of
from blueline.review.file import File
from blueline.review.medium.choice import CELLS, has_parts, in_sections
from blueline.review.medium.section import NamedSection, PlainViews, SectionName, Views
from blueline.review.setting import Content


def views_of(file: File) -> Views:
    """Whoever shows the hunks of a file."""
    return PlainViews() if file.last_in(CELLS.name) is None else CellViews(file)


def has_sections(file: File) -> bool:
    """Whether a file is shown in sections, as it is or as it was agreed."""
    return has_parts(file.node) or has_parts(file.agreed_node)


def why_whole(file: File) -> str | None:
    """Why a file that is called what has sections is shown without; None if it has them, or is not so
    called."""
    return why_not_cells(file)


def sections_of(file: File, known: list[Hunk]) -> list[tuple[Hunk, SectionName]]:
    """The hunks that are about a section, each with it."""
    sides, views = sides_of(file), views_of(file)
    about = [hunk for hunk in known if hunk.inserted or hunk.deleted]
    found = [(hunk, views.of(hunk, *sides.of(hunk)).section) for hunk in about]
    return [(hunk, section) for hunk, section in found if section is not None]


def named_section(file: File, name: str, known: list[Hunk]) -> NamedSection | None:
    """The section of a file that goes by a name, or a number; None if there is none. `known`: its hunks."""
    return named_cell(file, name, sections_of(file, known))


def pieces_in_section(file: File, section: NamedSection, first: int, last: int) -> list[Piece]:
    """What is pending on the lines first to last of a section, as it is now (from zero, inclusive)."""
    chosen = section.live.lines[first : last + 1] if section.live is not None else ()
    return pieces_between(file, chosen[0][0], chosen[-1][1]) if chosen else []


def readable_patch(old: Content, new: Content) -> str | None:
    """A patch that people can read, section by section; None if it is the usual one that they can."""
    if not (in_sections(old) and in_sections(new) and old.path == new.path):
        return None
    return cell_patch(new.path, old.text or "", new.text or "")
