"""How the hunks of a file are shown: by the medium that it was ever reviewed in."""

from blueline.review.cells.views import CellViews, why_not_cells
from blueline.review.file import File
from blueline.review.medium.choice import CELLS, in_sections
from blueline.review.medium.section import PlainViews, Views


def views_of(file: File) -> Views:
    """Whoever shows the hunks of a file."""
    return PlainViews() if file.last_in(CELLS.name) is None else CellViews(file)


def has_sections(file: File) -> bool:
    """Whether a file is shown in sections, as it is or as it was agreed."""
    return any(map(in_sections, (file.live, file.baseline)))


def why_whole(file: File) -> str | None:
    """Why a file that is called what has sections is shown without; None if it has them, or is not so
    called."""
    return why_not_cells(file)
