"""How much is undecided, asked of the index in one look, for those who cannot wait.

Nothing is loaded but the library itself, and nothing is locked, finished or written.
"""

from _sqlite3 import Error, connect  # what the module around it adds takes longer than the question

BUSY_SECONDS = 0.0


def tally(path: str) -> tuple[int, int, int] | None:
    """Undecided hunks, turns that have not ended, and how far of the journal that is known.

    None if there is no index at that path that can be read just now.
    """
    # A name with a question mark in it would end there.
    place = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    try:
        index = connect(f"file:{place}?mode=ro", timeout=BUSY_SECONDS, uri=True)
        try:
            ((hunks,),) = index.execute("select count(*) from hunks where listed and status = 'pending'")
            ((running,),) = index.execute("select count(*) from turns where running = 1")
            ((cursor,),) = index.execute("select value from meta where key = 'cursor'")
            return hunks, running, int(cursor)
        finally:
            index.close()
    except (Error, ValueError):
        return None
