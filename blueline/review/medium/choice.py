"""Which medium a file is reviewed in: the one place that knows them all."""

from collections.abc import Callable, Mapping

from blueline.model.answer import Answer
from blueline.model.ids import BlobId
from blueline.model.medium_names import MediumName
from blueline.model.notebook import SUFFIX
from blueline.review.cells.notebook_medium import Cells
from blueline.review.cells.notebook_text import cells, with_cell
from blueline.review.file import File
from blueline.review.ledger import Ledger
from blueline.review.medium.medium import Medium, Read, Reading
from blueline.review.medium.plain_text import PlainText
from blueline.review.setting import Content, Node

TEXT: Medium = PlainText()
CELLS: Medium = Cells()
MEDIA: dict[MediumName, Medium] = {medium.name: medium for medium in (TEXT, CELLS)}

NOT_TEXT = Reading(None, TEXT)

MOST_REMEMBERED = 16


def medium_of(node: Node) -> Medium | None:
    """The medium that something stands in; None if it is not reviewed by a text."""
    return MEDIA[node.kind] if node.kind == "text" or node.kind == "notebook" else None


def in_sections(content: Content) -> bool:
    """Whether a content is reviewed in sections, and its text is not all that stands in the file."""
    return has_parts(content.node)


def has_parts(node: Node) -> bool:
    """The same of what stands somewhere."""
    medium = medium_of(node)
    return medium is not None and not medium.is_all


def is_notebook_path(path: str) -> bool:
    """Whether a file is called what notebooks are called."""
    return path.lower().endswith(SUFFIX)


def media_for(path: str, node: Node | None = None) -> tuple[Medium, ...]:
    """The media that a file may be reviewed in, the best first. Once a notebook, it is one whatever it is
    called; `node` is what it is so far."""
    if is_notebook_path(path) or (node is not None and node.kind == CELLS.name):
        return CELLS, TEXT
    return (TEXT,)


def read_stored(ledger: Ledger, blob: BlobId, media: tuple[Medium, ...], read: Read) -> Reading:
    """A stored content in the first medium that it can be in."""
    for medium in media:
        text = _remembered(ledger, blob, medium, read)
        if text is not None:
            return Reading(text, medium)
    return NOT_TEXT


def _remembered(ledger: Ledger, blob: BlobId, medium: Medium, read: Read) -> str | None:
    """The text made of a file's bytes: that can take long, and all who look at a change ask for it."""
    key, texts = (blob, medium.name), ledger.made_texts
    if key not in texts:
        while len(texts) >= MOST_REMEMBERED:
            texts.pop(next(iter(texts)))
        texts[key] = medium.read(read(blob))
    return texts[key]


def read_recorded(ledger: Ledger, blob: BlobId, digest: str, read: Read) -> Reading:
    """A content as it was reviewed when it was recorded, with that digest."""
    return read_stored(ledger, blob, (CELLS, TEXT) if digest else (TEXT,), read)


def recorded_medium(digest: str) -> Medium:
    """The medium that something was reviewed in when it was recorded with that digest."""
    return CELLS if digest else TEXT


def shown_in(file: File, medium: Medium, op: int, first: Answer) -> File | None:
    """The file with a text of that medium showing: as it is, or, by an operation, as it was before it was
    something else. None if it has to begin anew."""
    if file.live.node.kind == medium.name:
        return file
    earlier = None if medium.is_all else file.last_in(medium.name)
    return None if earlier is None else file.became(op, first, earlier)


def composed(content: Content, read: Read) -> bytes | BlobId | None:
    """What a file is put together to: new bytes, or known ones; None if it has none, or they are lost."""
    if (medium := medium_of(content.node)) is not None:
        return medium.compose(content.text or "", content.wholes, read)
    return BlobId(str(content.node.value)) if content.node.kind == "bytes" else None


def composed_last(file: File, has: Callable[[BlobId], bool], read: Read) -> bytes | BlobId | None:
    """The same for what stands on disk. Where the text is not all of it, that is known: it would be put
    together again."""
    medium = medium_of(file.live.node)
    if medium is not None and not medium.is_all and has(BlobId(file.steps[-1].content)):
        return BlobId(file.steps[-1].content)
    return composed(file.live, read)


def on_disk(content: Content, read: Read) -> bytes | None:
    """The bytes of a content that is reviewed by a text; None if they are lost, or it is not."""
    medium = medium_of(content.node)
    if medium is None or content.text is None:
        return None
    found = medium.compose(content.text, content.wholes, read)
    return found if isinstance(found, bytes) else read(found)


def with_section(text: str, wish: Mapping[str, object]) -> str:
    """A file's own text with one section edited, added or deleted, as a tool was asked to. Fails with
    `NoSuchSection`."""
    return with_cell(text, wish)


def has_section(text: str, name: str) -> bool:
    """Whether a file's own text has a section of that name. Fails with `NoSuchSection`."""
    return any(one.id == name for one in cells(text))


def is_alike(one: str | None, other: str, path: str) -> bool:
    """Whether two texts of a file are the same to its review. Agents write notebooks as they like."""
    if one is None or one == other:
        return one == other
    for medium in media_for(path):
        sides = [medium.read(text.encode("utf-8", "surrogatepass")) for text in (one, other)]
        if sides[0] is not None and sides[0] == sides[1]:
            return True
    return False
